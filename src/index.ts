/** The library's public names: read a conf, judge facts, render a report. */
export { KaiactlError } from './errors.js';
export type * from './node/facts/facts.js';
export type * from './node/facts/live.js';
export type * from './node/facts/report.js';
export type * from './node/facts/settings.js';
export type * from './node/facts/shell.js';
export type * from './node/facts/span.js';
