/** Modules of tests and sources that Vite loads, so that a test can put others in their place. */
declare module '*?sources';
