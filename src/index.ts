/** The library's public names: read a conf, judge facts, render a report. */
export { KaiactlError } from './errors.js';
export type * from './model/conf.js';
export type * from './model/facts.js';
export type * from './model/live.js';
export type * from './model/report.js';
export type * from './model/span.js';
