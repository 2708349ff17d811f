'use strict';
/* On paper nothing can be opened: what is folded is unfolded while the page is printed. */
(loadline => {
    let folded = [];

    loadline.unfold = () => {
        folded = [...document.querySelectorAll('details:not([open])')];
        for (const details of folded)
            details.open = true;
    };
    loadline.fold = () => {
        for (const details of folded)
            details.open = false;
        folded = [];
    };
    if (globalThis.addEventListener) {
        addEventListener('beforeprint', loadline.unfold);
        addEventListener('afterprint', loadline.fold);
    }
})(globalThis.loadline);
