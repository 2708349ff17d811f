/* The pages that make_pages makes, and the charts that each must have. */
import { readdirSync, statSync } from 'node:fs';
import { folder } from './browser.mjs';

export const allPages = readdirSync(`${folder}/pages`).filter(name => name.endsWith('.html'))
    .map(name => name.slice(0, -'.html'.length)).sort();
export const hostilePages = allPages.filter(name => name.startsWith('hostile'));
export const pageBytes = name => statSync(`${folder}/pages/${name}.html`).size;

/* data-chart of the figures of the first result that is open; each page has at least these. */
const SAMPLED = ['timeline', 'heat', 'latency', 'cost'];
export const CHARTS = {
    one: SAMPLED,
    parts: SAMPLED,
    partial: ['timeline', 'latency'],
    forty: [...SAMPLED, 'scaling', 'layouts', 'fairness'],
    search: ['timeline', 'latency', 'scaling'],
    steady: ['timeline', 'steady'],
    unsteady: ['timeline', 'steady'],
    postgres: [...SAMPLED, 'layouts', 'fairness', 'waits', 'waits-time'],
    unsampled: ['latency'],
    factors: ['latency'],
    long: SAMPLED,
    longest: SAMPLED,
};
export const mainPages = ['one', 'parts', 'partial', 'forty', 'search', 'steady', 'unsteady', 'postgres', 'failed',
    'compare'];
