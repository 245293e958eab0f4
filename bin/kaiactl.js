#!/usr/bin/env node
'use strict';
// Before anything is loaded: only then do stacks name the files of src/.
if (process.argv.some((word) => word === '-v' || word === '--verbose')) process.setSourceMapsEnabled(true);
const { HOME, XDG_CACHE_HOME = HOME && `${HOME}/.cache` } = process.env;
// From Node 22 on, code that was compiled once is kept for this user. Node's own place for it is a folder of everybody.
if (XDG_CACHE_HOME) require('node:module').enableCompileCache?.(`${XDG_CACHE_HOME}/kaiactl`);
const { main, nodeHost } = require('../dist/main.cjs');

main(nodeHost()).then((code) => {
  process.exitCode = code;
});
