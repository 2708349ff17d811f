'use strict';
/* The data block: base64 of zlib of JSON, and in it columns of numbers packed likewise (the form of
 * a column is that of packed.h). A column becomes a Float64Array with NaN where nothing is known. */
(loadline => {
    function fromBase64(text) {
        if (Uint8Array.fromBase64)
            return Uint8Array.fromBase64(text);
        const binary = atob(text.trim());
        const bytes = new Uint8Array(binary.length);
        for (let i = 0; i < binary.length; i++)
            bytes[i] = binary.charCodeAt(i);
        return bytes;
    }
    function joined(chunks) {
        const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
        let at = 0;
        for (const chunk of chunks) {
            bytes.set(chunk, at);
            at += chunk.length;
        }
        return bytes;
    }
    /* Written straight into the stream: a Blob would go by way of the browser's other processes. */
    async function inflate(text) {
        const { readable, writable } = new DecompressionStream('deflate');
        const writer = writable.getWriter();
        /* What fails here fails in the reading, too, which tells it. */
        writer.write(fromBase64(text)).catch(() => {});
        writer.close().catch(() => {});
        const chunks = [];
        const reader = readable.getReader();
        for (let next = await reader.read(); !next.done; next = await reader.read())
            chunks.push(next.value);
        return joined(chunks);
    }

    /* One column from bytes[at...]: unsigned LEB128 of zigzag(difference) + 1, or 0 for unknown.
     * Without bit operators, which would cut numbers off at 32 bits. */
    function column(bytes, at, end, count, { scale, log }) {
        const values = new Float64Array(count).fill(NaN);
        let last = 0;
        for (let i = 0; i < count && at < end; i++) {
            let byte = bytes[at++];
            let code = byte & 127;
            for (let weight = 128; byte >= 128 && at < end; weight *= 128) {
                byte = bytes[at++];
                code += (byte & 127) * weight;
            }
            if (code === 0)
                continue;
            code--;
            const half = Math.floor(code / 2);
            last += code === 2 * half ? half : -half - 1;
            values[i] = log ? Math.exp(last * scale) : last * scale;
        }
        return values;
    }
    function columns(description, bytes) {
        const result = {};
        let at = 0;
        for (const { name, size, log, scale } of description.columns) {
            if (at + size > bytes.length)
                throw new Error(`the column ${name} is cut off`);
            result[name] = column(bytes, at, at + size, description.count, { scale, log });
            at += size;
        }
        return result;
    }

    /* Bytes that the drive had taken by the middle of each interval, since the run's start. */
    function cumulativeBytes(phases, { bytes }, count) {
        const values = new Float64Array(count).fill(NaN);
        if (!bytes)
            return values;
        for (const { start_bytes: start, first, count: length } of phases) {
            let sum = start === null || start === undefined ? NaN : start;
            for (let i = first; i < first + length && i < count; i++) {
                const taken = Number.isNaN(bytes[i]) ? 0 : bytes[i];
                values[i] = sum + taken / 2;
                sum += taken;
            }
        }
        return values;
    }
    function middles({ start_s: start, seconds }, count) {
        const values = new Float64Array(count);
        for (let i = 0; i < count; i++)
            values[i] = start[i] + (seconds ? seconds[i] / 2 || 0 : 0);
        return values;
    }

    async function openTimeline(result) {
        const packed = result.timeline;
        if (!packed)
            return;
        const opened = columns(packed, await inflate(packed.data));
        if (!opened.start_s)
            throw new Error('the timeline has no times');
        result.timeline = { count: packed.count, merged: packed.merged || 1, columns: opened };
        opened.middle_s = middles(opened, packed.count);
        opened.total_bytes = cumulativeBytes(result.phases, opened, packed.count);
    }

    loadline.unpack = { column, columns, cumulativeBytes, middles };
    /* Reads the block into loadline.data. Results open their timelines themselves, when shown. */
    loadline.readData = async text => {
        loadline.data = JSON.parse(new TextDecoder().decode(await inflate(text)));
        return loadline.data;
    };
    loadline.openTimeline = openTimeline;
})(globalThis.loadline);
