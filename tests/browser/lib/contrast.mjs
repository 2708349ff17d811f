/* Run in the page: how well text and lines stand out from what lies behind them (WCAG 2.2). */

/* Texts whose contrast is too small, as sentences; scrolls nothing. */
export function faintTexts() {
    const ENOUGH = 4.5;
    const ENOUGH_LARGE = 3;
    const parse = color => {
        const parts = (color.match(/[\d.]+/g) || []).map(Number);
        const scale = color.startsWith('color(') ? 255 : 1;
        return [parts[0] * scale || 0, parts[1] * scale || 0, parts[2] * scale || 0, parts[3] ?? 1];
    };
    const over = (front, back) => [0, 1, 2].map(i => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
    function luminance(color) {
        const [r, g, b] = color.slice(0, 3).map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    }
    function ratio(a, b) {
        const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
        return (high + 0.05) / (low + 0.05);
    }
    /* What an element stands on: the backgrounds of all around it. */
    function ground(element) {
        const layers = [];
        for (let one = element; one; one = one.parentElement)
            layers.unshift(parse(getComputedStyle(one).backgroundColor));
        return layers.reduce((back, front) => over(front, back), [255, 255, 255, 1]);
    }
    const opacity = element => {
        let all = 1;
        for (let one = element; one; one = one.parentElement)
            all *= Number(getComputedStyle(one).opacity);
        return all;
    };
    /* In a picture the shapes drawn before it lie under a text. */
    function underText(text, back) {
        const box = text.getBoundingClientRect();
        const x = box.x + box.width / 2;
        const y = box.y + box.height / 2;
        for (const shape of text.ownerSVGElement.querySelectorAll('rect')) {
            const place = shape.getBoundingClientRect();
            const before = shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
            const fill = getComputedStyle(shape).fill;
            if (before && fill !== 'none' && x > place.left && x < place.right && y > place.top && y < place.bottom) {
                const color = parse(fill);
                color[3] *= opacity(shape) * Number(getComputedStyle(shape).fillOpacity);
                back = over(color, back);
            }
        }
        return back;
    }
    function fault(element, words) {
        const style = getComputedStyle(element);
        const drawn = element instanceof SVGElement;
        const color = parse(drawn ? style.fill : style.color);
        color[3] *= opacity(element);
        const back = drawn ? underText(element, ground(element)) : ground(element);
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const found = ratio(over(color, back), back);
        return found >= (large ? ENOUGH_LARGE : ENOUGH) ? null
            : `${found.toFixed(2)}: "${words.slice(0, 40)}" in ${element.localName}.${element.getAttribute('class') || ''}`
                + ` ${style.color} on ${back.slice(0, 3).map(Math.round)}`;
    }
    const faults = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        const words = node.data.trim();
        if (!words || ['SCRIPT', 'STYLE', 'NOSCRIPT', 'OPTION'].includes(element.tagName)
            || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
            continue;
        const found = fault(element, words);
        if (found)
            faults.add(found);
    }
    return [...faults];
}

/* Colours of legends' lines and marks that stand out less than 3:1 from their panel. */
export function faintLines() {
    const faults = new Set();
    const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const rgb = color => {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data];
    };
    const light = color => rgb(color).slice(0, 3).map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const swatches = document.querySelectorAll('.legend svg :is(line, circle, polygon, path)');
    for (const shape of swatches) {
        const panel = getComputedStyle(shape.closest('figure')).backgroundColor;
        const style = getComputedStyle(shape);
        const color = style.stroke === 'none' ? style.fill : style.stroke;
        const [low, high] = [light(color), light(panel)].sort((a, b) => a - b);
        const ratio = (high + 0.05) / (low + 0.05);
        if (ratio < 3)
            faults.add(`${ratio.toFixed(2)}: ${color} on ${panel}, ${shape.closest('.entry').textContent}`);
    }
    return { faults: [...faults], count: swatches.length };
}
