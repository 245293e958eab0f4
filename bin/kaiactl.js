#!/usr/bin/env node
'use strict';
// CommonJS, as the package.json beside it says, like the program: starting node's loader of ES modules would take longer
// than all of --version.
// Before anything is loaded: only then do stacks name the files of src/.
if (process.argv.some((word) => word === '-v' || word === '--verbose')) process.setSourceMapsEnabled(true);
const { main, nodeHost } = require('../dist/main.cjs');

main(nodeHost()).then((code) => {
  process.exitCode = code;
});
