/** Looking at live nodes: what commands use. */
export { type Address, endpointName, isEndpointText, parseEndpoint } from '../../jsonrpc/endpoint.js';
export { type GatherOptions, gatherLive, type Local, noProcess } from './gather.js';
export { grpcPorts } from './grpc.js';
export { listModules } from './list.js';
export { isElsewhere, localPort } from './local/bind.js';
export { type Machine, machineOf } from './local/machine.js';
export { pathInside } from './local/namespace.js';
export { findProcess, nodeProcesses, ownerOf, processOf, programOf } from './local/process.js';
export { type Planned, planOf } from './plan.js';
export { withStarted } from './started.js';
export { confEndpoints, confMetrics, type Target } from './target.js';
