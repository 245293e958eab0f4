/** The worker's program: answers each message with its roots. */
import { parentPort } from 'node:worker_threads';
import { rootsOf, type Work } from './group.js';

parentPort?.on('message', (work: Work) => parentPort?.postMessage(rootsOf(work)));
