/** Probes of live nodes: the exports for commands. */
export { type Address, endpointName, isEndpointText, parseEndpoint } from '../../jsonrpc/endpoint.js';
export { socketsFromHost, targetFromHost, urlFromHost } from './from-host.js';
export { type GatherOptions, gatherLive, type Local, noProcess } from './gather.js';
export { isElsewhere } from './local/bind.js';
export { lastingPath } from './local/identity.js';
export { type Machine, machineOf, namesOf } from './local/machine.js';
export { pathInside } from './local/namespace.js';
export { findProcess, type OtherProcess, ownerOf, processOf, programOf } from './local/process.js';
export { type Planned, planOf } from './plan.js';
export { openedPorts } from './ports.js';
export { listModules } from './run.js';
export { urlsOf } from './sockets.js';
export { confEndpoints, confMetrics, type Target, withStarted } from './target.js';
