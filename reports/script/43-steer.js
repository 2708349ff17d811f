'use strict';
/* How a reader moves through the charts over time: pointer, fingers, keys, buttons, choices. */
(loadline => {
    const { el } = loadline;
    const DRAG_PX = 5;
    const STEP = 2;
    const MOVE = 0.25;

    /* `area()`: { x, w } of the plots in pixels of `stack`. */
    function reader(stack, view, area) {
        return event => {
            const { x, w } = area();
            const inside = (event.clientX - stack.getBoundingClientRect().left - x) / w;
            const share = Math.min(1, Math.max(0, inside));
            return { share, x: view.range[0] + share * (view.range[1] - view.range[0]) };
        };
    }

    class Pointer {
        constructor(stack, view, area) {
            this.stack = stack;
            this.view = view;
            this.area = area;
            this.read = reader(stack, view, area);
            this.fingers = new Map();
            this.start = null;
            this.selection = el('div', { class: 'selection', hidden: true });
            Object.assign(this.selection.style, { position: 'absolute', top: '0', bottom: '0',
                pointerEvents: 'none', background: 'var(--ink)', opacity: '0.12' });
            stack.append(this.selection);
            stack.style.touchAction = 'pan-y';
            stack.style.userSelect = 'none';
            for (const kind of ['down', 'move', 'up', 'cancel', 'leave'])
                stack.addEventListener(`pointer${kind}`, event => this[kind](event));
            stack.addEventListener('dblclick', () => view.showAll());
        }
        down(event) {
            if (event.button !== 0 || !event.target.closest('.chart'))
                return;
            const { share, x } = this.read(event);
            this.fingers.set(event.pointerId, { share, x });
            if (event.pointerType === 'touch') {
                this.view.setCursor(this.view.intervalAt(x));
                return;
            }
            this.start = { share, x, at: event.clientX };
            this.stack.setPointerCapture(event.pointerId);
        }
        move(event) {
            const { share, x } = this.read(event);
            this.view.setCursor(this.view.intervalAt(x));
            if (this.fingers.has(event.pointerId) && this.fingers.size === 2)
                this.pinch(event.pointerId, share);
            if (this.start)
                this.select(share, Math.abs(event.clientX - this.start.at));
        }
        /* The values under two fingers stay under them. */
        pinch(moved, share) {
            this.fingers.get(moved).share = share;
            const [a, b] = this.fingers.values();
            const spread = b.share - a.share;
            if (Math.abs(spread) < 0.02 || (b.x - a.x) / spread <= 0)
                return;
            const size = (b.x - a.x) / spread;
            const low = a.x - a.share * size;
            this.view.show(low, low + size);
        }
        select(share, distance) {
            const { x, w } = this.area();
            this.selection.hidden = distance < DRAG_PX;
            this.selection.style.left = `${x + Math.min(share, this.start.share) * w}px`;
            this.selection.style.width = `${Math.abs(share - this.start.share) * w}px`;
        }
        up(event) {
            const { start } = this;
            this.cancel(event);
            if (!start || Math.abs(event.clientX - start.at) < DRAG_PX)
                return;
            const { x } = this.read(event);
            this.view.show(Math.min(x, start.x), Math.max(x, start.x));
        }
        cancel(event) {
            this.fingers.delete(event.pointerId);
            this.start = null;
            this.selection.hidden = true;
        }
        leave(event) {
            if (event.pointerType !== 'touch' && !this.start)
                this.view.setCursor(-1);
            this.fingers.delete(event.pointerId);
        }
    }

    function keys(view) {
        const cursorX = () => view.cursor >= 0 ? view.x[view.cursor] : undefined;
        const left = event => event.shiftKey ? view.stepCursor(-1) : view.move(-MOVE);
        const right = event => event.shiftKey ? view.stepCursor(1) : view.move(MOVE);
        const all = () => view.showAll();
        return { '+': () => view.zoom(STEP, cursorX()), '=': () => view.zoom(STEP, cursorX()),
            '-': () => view.zoom(1 / STEP, cursorX()), ArrowLeft: left, ArrowRight: right,
            0: all, Home: all, Escape: all };
    }
    function listenToKeys(stack, view) {
        const actions = keys(view);
        stack.addEventListener('keydown', event => {
            const action = actions[event.key];
            if (!action || event.ctrlKey || event.metaKey || event.altKey)
                return;
            event.preventDefault();
            action(event);
        });
    }

    function button(text, label, act) {
        return el('button', { type: 'button', 'aria-label': loadline.t(label), title: loadline.t(label),
            click: act }, text);
    }
    function phaseChoice(view) {
        const options = () => [el('option', { value: '' }, loadline.t('all phases')),
            ...view.parts.map(({ name }, index) => el('option', { value: index }, name))];
        const select = el('select', { 'aria-label': loadline.t('phase to show') }, options());
        select.style.maxWidth = '100%';
        select.addEventListener('change', () => {
            const part = view.parts[select.value];
            if (select.value === '')
                view.showAll();
            else
                view.show(part.low, part.high);
        });
        let axis = view.current;
        view.onRange.push(() => {
            if (view.current !== axis)
                select.replaceChildren(...options());
            axis = view.current;
            const chosen = view.parts.findIndex(({ low, high }) => low === view.range[0] && high === view.range[1]);
            select.value = chosen < 0 || !view.zoomed ? '' : String(chosen);
        });
        return select;
    }
    function axisChoice(view, group) {
        const choice = (value, text) => el('label', {},
            el('input', { type: 'radio', name: group, value, checked: value === view.current.name,
                change: () => view.switchAxis(value) }), ' ', loadline.t(text), ' ');
        return el('span', { role: 'radiogroup', 'aria-label': loadline.t('horizontal axis') },
            choice('time', 'time'), choice('bytes', 'GB written'));
    }

    loadline.steer = (stack, view, area) => {
        const pointer = new Pointer(stack, view, area);
        listenToKeys(stack, view);
        return pointer;
    };
    loadline.steerControls = (view, group) => [
        view.parts.length > 1 && phaseChoice(view),
        button('\u2212', 'zoom out', () => view.zoom(1 / STEP)),
        button('+', 'zoom in', () => view.zoom(STEP)),
        button(loadline.t('All'), 'show all', () => view.showAll()),
        view.hasBytes && axisChoice(view, group),
    ].filter(Boolean);
})(globalThis.loadline);
