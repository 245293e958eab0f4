/** Names that options take: they are declared before any kind is loaded. */
export { launchers, packages } from './kaia/names.js';
