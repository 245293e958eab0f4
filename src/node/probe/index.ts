/** Looking at live nodes: what commands use. */
export { type Address, endpointName, isEndpointText, parseEndpoint } from '../../jsonrpc/endpoint.js';
export { type GatherOptions, gatherLive, type Local, noProcess } from './gather.js';
export { listModules } from './list.js';
export { findProcess, nodeProcesses, processOf } from './local/process.js';
export { type Planned, planOf } from './plan.js';
export type { Depth } from './probes/probe.js';
export { confEndpoints, confMetrics, type Target } from './target.js';
