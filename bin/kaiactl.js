#!/usr/bin/env node
import { main, nodeHost } from '../dist/main.js';

process.exitCode = await main(nodeHost());
