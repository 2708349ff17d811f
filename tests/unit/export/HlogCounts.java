/* Reads a histogram log with the reference implementation.  A line for each tag, in order of first
 * appearance: tag, intervals, values, largest value in ns, start of the first and end of the last
 * interval in ms since the epoch. */
import java.util.LinkedHashMap;
import java.util.Map;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

public class HlogCounts
{
    public static void main(String[] args) throws Exception
    {
        HistogramLogReader reader = new HistogramLogReader(args[0]);
        Map<String, Histogram> sums = new LinkedHashMap<>();
        Map<String, Integer> intervals = new LinkedHashMap<>();
        for (EncodableHistogram read; (read = reader.nextIntervalHistogram()) != null;) {
            Histogram interval = (Histogram) read;
            intervals.merge(interval.getTag(), 1, Integer::sum);
            Histogram sum = sums.get(interval.getTag());
            if (sum == null)
                sums.put(interval.getTag(), interval);
            else
                sum.add(interval);
        }
        System.out.printf("%.3f%n", reader.getStartTimeSec());
        for (Map.Entry<String, Histogram> entry : sums.entrySet()) {
            Histogram sum = entry.getValue();
            System.out.println(entry.getKey() + " " + intervals.get(entry.getKey()) + " "
                + sum.getTotalCount() + " " + sum.getMaxValue() + " " + sum.getStartTimeStamp()
                + " " + sum.getEndTimeStamp());
        }
    }
}
