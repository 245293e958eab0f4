/** Where and how a node is reached: what commands need of the wires. */
export type { DialOptions } from '../jsonrpc/channel.js';
export { type Dial, endpointName, isEndpointText, parseEndpoint } from '../jsonrpc/endpoint.js';
