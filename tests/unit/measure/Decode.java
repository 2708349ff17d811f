/* Reads one encoded histogram with the reference implementation: count, maximum and
 * percentiles in ns, then the histogram encoded again. */
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;

import org.HdrHistogram.Histogram;

public class Decode
{
    public static void main(String[] args) throws Exception
    {
        byte[] bytes = Base64.getDecoder().decode(args[0]);
        Histogram h = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
        System.out.println(h.getTotalCount());
        System.out.println(h.getMaxValue());
        for (double p : new double[] {50, 90, 99, 99.9})
            System.out.println(h.getValueAtPercentile(p));
        ByteBuffer again = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
        int size = h.encodeIntoCompressedByteBuffer(again);
        System.out.println(Base64.getEncoder().encodeToString(Arrays.copyOf(again.array(), size)));
    }
}
