/** erigon and the programs of its image. */
import { client, type OtherClient, port } from './row.js';

const http = port('http', {
  isOn: true,
  enable: '--http --http.enabled',
  bind: '--http.addr --http.url',
  port: '--http.port',
  modules: '--http.api',
  usual: ['localhost', 8545, 'eth,erigon'],
});
/** `--ws=false` turns it on: erigon asks whether the flag is set. */
const ws = port('ws', {
  enable: '--ws',
  off: /(?!)/,
  bind: '--http.addr',
  port: '--ws.port',
  modules: '--http.api',
  usual: ['localhost', 8546, 'eth,erigon'],
});
const socket = port('socket', {
  enable: '--socket.enabled --socket.url',
  bind: '--socket.url',
  usual: ['unix:///var/run/erigon.sock', null],
});
const https = port('https', {
  enable: '--https.enabled --https.url',
  bind: '--https.addr --https.url',
  port: '--https.port',
  modules: '--http.api',
});
const images = /(?:^|[/-])(?:op-|cdk-|bsc-)?erigon$/;

/** A program that serves gRPC without login. */
function part(name: string, flag: string, usualPort: number | null): OtherClient {
  return client(`erigon ${name}`, 'execution', {
    programs: [],
    sharedPrograms: [name],
    own: flag,
    interfaces: [port('grpc', { bind: `--${flag}`, usual: [null, usualPort] })],
  });
}

export const erigonFamily: readonly OtherClient[] = [
  client('erigon', 'execution', {
    programs: [/^(?:op-|cdk-|bsc-)?erigon$/],
    idle: 'init import snapshots seg support',
    images,
    own: 'private.api.addr prune.mode externalcl internalcl torrent.* caplin.* db.size.limit mcp.addr mcp.port mcp.disable',
    clientName: /^erigon\//i,
    configFiles: '--config',
    interfaces: [
      http,
      ws,
      port('engine', { bind: '--authrpc.addr', port: '--authrpc.port', usual: ['localhost', 8551] }),
      port('grpc', {
        isOn: true,
        enable: '--private.api.addr',
        off: /^$/,
        bind: '--private.api.addr',
        usual: ['127.0.0.1', 9090],
      }),
      port('mcp', {
        disable: '--mcp.disable',
        bind: '--mcp.addr',
        port: '--mcp.port',
        usual: ['127.0.0.1', 8553],
      }),
      port('beacon', {
        enable: '--beacon.api',
        off: /^$/,
        bind: '--beacon.api.addr',
        port: '--beacon.api.port',
        modules: '--beacon.api',
        usual: ['localhost', 5555],
      }),
      socket,
      https,
      port('metrics', {
        enable: '--metrics',
        bind: '--metrics.addr',
        port: '--metrics.port',
        usual: ['127.0.0.1', 6061],
      }),
      port('pprof', {
        enable: '--pprof',
        bind: '--pprof.addr',
        port: '--pprof.port',
        usual: ['127.0.0.1', 6060],
      }),
    ],
  }),
  client('rpcdaemon', 'execution', {
    images: /(?:^|\/)rpcdaemon$/,
    interfaces: [
      http,
      ws,
      socket,
      https,
      port('grpc', {
        enable: '--grpc',
        bind: '--grpc.addr',
        port: '--grpc.port',
        usual: ['localhost', 8547],
      }),
    ],
  }),
  part('sentry', 'sentry.api.addr', 9091),
  part('downloader', 'downloader.api.addr', 9093),
  part('txpool', 'txpool.api.addr', null),
  part('sentinel', 'sentinel.addr', 7777),
  part('diag', 'diagnostics.addr', null),
  client('caplin', 'consensus', {
    interfaces: [
      port('beacon', {
        enable: '--beacon.api',
        bind: '--beacon.api.addr',
        port: '--beacon.api.port',
        modules: '--beacon.api',
        usual: ['localhost', 5555],
      }),
    ],
  }),
  client('erigon mcp', 'execution', {
    programs: [],
    sharedPrograms: ['mcp'],
    own: 'sse.addr',
    interfaces: [port('mcp', { enable: '--sse.addr', bind: '--sse.addr', usual: [null, 8553] })],
  }),
];
