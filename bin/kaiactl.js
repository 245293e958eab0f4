#!/usr/bin/env node
import module from 'node:module';

// Before anything is loaded: only then do stacks name the files of src/.
if (process.argv.some((word) => word === '-v' || word === '--verbose')) process.setSourceMapsEnabled(true);
// From Node 22 on, code that was compiled once is kept for this user. Node's own place for it is a folder of everybody.
const { HOME, XDG_CACHE_HOME = HOME && `${HOME}/.cache` } = process.env;
if (XDG_CACHE_HOME) module.enableCompileCache?.(`${XDG_CACHE_HOME}/kaiactl`);
const { main, nodeHost } = await import('../dist/main.js');

process.exitCode = await main(nodeHost());
