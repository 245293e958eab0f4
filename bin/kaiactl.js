#!/usr/bin/env node
'use strict';
// CommonJS, see package.json in this folder: Node's loader of ES modules takes longer to start than --version takes.
// Source maps must be enabled before anything is loaded.
if (process.argv.some((word) => word === '-v' || word === '--verbose')) process.setSourceMapsEnabled(true);
if (isInFolder()) {
  const { main, nodeHost } = require('../dist/main.cjs');
  main(nodeHost()).then((code) => {
    process.exitCode = code;
  });
} else {
  process.stderr.write('kaiactl: the working folder does not exist: change to another folder\n');
  process.exitCode = 2;
}

function isInFolder() {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}
