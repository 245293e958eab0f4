#!/usr/bin/env node
// Before anything is loaded: only then do stacks name the files of src/.
if (process.argv.some((word) => word === '-v' || word === '--verbose')) process.setSourceMapsEnabled(true);
const { main, nodeHost } = await import('../dist/main.js');

process.exitCode = await main(nodeHost());
