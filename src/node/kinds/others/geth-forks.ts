/** Forks of geth that are no judged kind: their flags are those of some older release. */
import type { ClientRow } from '../client.js';

/** The commands that start no node, and the interfaces under their names before and since v1.9. */
// biome-ignore format: an entry in few lines
const anyGeth = { idle: ['account', 'attach', 'db', 'dump', 'dumpconfig', 'dumpgenesis', 'export', 'import', 'init', 'license',
  'removedb', 'snapshot', 'version', 'wallet', 'help'], configFiles: ['--config'],
  interfaces: {
    http: { enable: ['--http', '--rpc'], addr: ['--http.addr', '--rpcaddr'], port: ['--http.port', '--rpcport'],
      api: ['--http.api', '--rpcapi'], usual: [null, 8545],
      switches: { '--unlock': 'accounts unlocked', '--allow-insecure-unlock': 'insecure unlock allowed' } },
    ws: { enable: '--ws', addr: ['--ws.addr', '--wsaddr'], port: ['--ws.port', '--wsport'],
      api: ['--ws.api', '--wsapi'], usual: [null, 8546] },
    metrics: { enable: '--metrics.addr', addr: '--metrics.addr', port: '--metrics.port', usual: [null, 6060] },
    pprof: { enable: '--pprof', addr: ['--pprof.addr', '--pprofaddr'], port: ['--pprof.port', '--pprofport'],
      usual: [null, 6060] },
  } } as const satisfies Partial<ClientRow>;

// biome-ignore format: an entry in few lines
export const gethForks = (): readonly ClientRow[] => [
  { ...anyGeth, name: 'sonic', role: 'execution', programs: ['sonicd', 'opera'], idle: ['account', 'attach',
    'checkconfig', 'dumpconfig', 'export', 'import', 'help', 'license', 'version'],
    images: /(?:^|\/)(?:fantom\/opera|sonic-node|sonicd?|opera)$/, own: ['validator.id', 'validator.pubkey',
    'validator.password'], clientName: /^(?:go-opera|sonic)\//i,
    interfaces: {
      ...anyGeth.interfaces,
      http: { ...anyGeth.interfaces.http, usual: [null, 18545] },
      ws: { ...anyGeth.interfaces.ws, usual: [null, 18546] },
    } },
  { ...anyGeth, name: 'celo', role: 'execution', programs: [], sharedPrograms: ['geth'],
    images: /(?:^|\/)celo-org\/(?:geth|celo-node)$/, own: ['celostats', 'proxy.proxied', 'proxy.allowprivateip',
    'proxy.internalendpoint'], clientName: /^celo\//i },
  { ...anyGeth, name: 'viction', role: 'execution', programs: ['tomo', 'viction'],
    images: /(?:^|\/)tomochain\/(?:node|tomochain)$|(?:^|\/)buildonviction\/|(?:^|\/)viction$/, own: ['tomox',
    'tomox.*', 'announce-txs', 'store-reward'], clientName: /^(?:tomo|viction)\//i },
  { ...anyGeth, name: 'XDC', role: 'execution', images: /(?:^|\/)xinfinorg\/|(?:^|\/)xdposchain$/, own: ['XDCx',
    'XDCx.*', 'enable-0x-prefix'], clientName: /^XDC\//i },
  { ...anyGeth, name: 'l2geth', role: 'execution', images: /(?:^|\/)(?:scroll-?)?l2geth$/, own: ['rollup.clienthttp',
    'rollup.backend', 'rollup.verifier', 'eth1.*', 'l1.endpoint', 'l1.confirmations', 'rollup.verify'] },
  // Forks with a name in their images alone; their program is called geth, unless named.
  { ...anyGeth, name: 'core', role: 'execution', programs: [],
    images: /(?:^|\/)coredao(?:-org)?\/|(?:^|\/)core-?chain$/ },
  { ...anyGeth, name: 'bitlayer', role: 'execution', programs: [], images: /(?:^|\/)bitlayer(?:-|$|\/)/ },
  { ...anyGeth, name: 'ab', role: 'execution', programs: [], images: /(?:^|\/)ab-?(?:core|geth|node)$/ },
  { ...anyGeth, name: 'neox', role: 'execution', programs: [], images: /(?:^|[/-])neo-?x(?:-|$)/ },
  { ...anyGeth, name: 'zircuit', role: 'execution', programs: [],
    images: /(?:^|\/)(?:zircuit\/|zircuit-?(?:l2-?)?geth$)/ },
  { ...anyGeth, name: 'taiko-geth', role: 'execution' },
  { ...anyGeth, name: 'linea-geth', role: 'execution' },
  { ...anyGeth, name: 'worldland', role: 'execution', programs: [], images: /(?:^|\/)worldland(?:-|$|\/)/ },
  { ...anyGeth, name: 'lightlink', role: 'execution', programs: [], images: /(?:^|\/)lightlink(?:-|$|\/)/ },
  { ...anyGeth, name: 'ronin', role: 'execution',
    images: /(?:^|\/)(?:axieinfinity|ronin-chain)\/ronin$|(?:^|\/)ronin$/ },
];
