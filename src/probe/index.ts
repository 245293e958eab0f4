/** Looking at live nodes: what commands use. */
export type { DialOptions } from '../jsonrpc/channel.js';
export { type Dial, endpointName, isEndpointText, parseEndpoint } from '../jsonrpc/endpoint.js';
export type { Depth } from './blank.js';
export { type GatherOptions, gatherLive } from './gather.js';
export { listModules } from './list.js';
export { type Planned, planOf } from './plan.js';
export { confDoors, confMetrics, type Target } from './target.js';
