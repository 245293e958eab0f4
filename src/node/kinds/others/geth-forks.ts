/** Forks of geth that are no judged kind: their flags are those of some older release. */
import { type ClientInterface, client, type OtherClient, port } from './row.js';

const unlock = { '--unlock': 'accounts unlocked', '--allow-insecure-unlock': 'insecure unlock allowed' };

/** The interfaces of any geth, under its names before and since v1.9. */
export function gethInterfaces(http = 8545, ws = 8546): readonly ClientInterface[] {
  return [
    port('http', {
      enable: '--http --rpc',
      bind: '--http.addr --rpcaddr',
      port: '--http.port --rpcport',
      modules: '--http.api --rpcapi',
      switches: unlock,
      usual: [null, http],
    }),
    port('ws', {
      enable: '--ws',
      bind: '--ws.addr --wsaddr',
      port: '--ws.port --wsport',
      modules: '--ws.api --wsapi',
      usual: [null, ws],
    }),
    port('metrics', {
      enable: '--metrics.addr',
      bind: '--metrics.addr',
      port: '--metrics.port',
      usual: [null, 6060],
    }),
    port('pprof', {
      enable: '--pprof',
      bind: '--pprof.addr --pprofaddr',
      port: '--pprof.port --pprofport',
      usual: [null, 6060],
    }),
  ];
}

/** Commands of every geth that start no node. */
export const gethIdle =
  'account attach db dump dumpconfig dumpgenesis export import init license removedb snapshot version wallet help';

const common = { configFiles: '--config', idle: gethIdle, interfaces: gethInterfaces() };

/** Forks with a name in their images alone; their program is called geth. */
const named: readonly (readonly [name: string, images: RegExp, program?: string])[] = [
  ['core', /(?:^|\/)coredao(?:-org)?\/|(?:^|\/)core-?chain$/],
  ['bitlayer', /(?:^|\/)bitlayer(?:-|$|\/)/],
  ['ab', /(?:^|\/)ab-?(?:core|geth|node)$/],
  ['neox', /(?:^|[/-])neo-?x(?:-|$)/],
  ['zircuit', /(?:^|\/)(?:zircuit\/|zircuit-?(?:l2-?)?geth$)/],
  ['taiko-geth', /(?:^|\/)taiko-geth$/, 'taiko-geth'],
  ['linea-geth', /(?:^|\/)linea-geth$/, 'linea-geth'],
  ['worldland', /(?:^|\/)worldland(?:-|$|\/)/],
  ['lightlink', /(?:^|\/)lightlink(?:-|$|\/)/],
  ['ronin', /(?:^|\/)(?:axieinfinity|ronin-chain)\/ronin$|(?:^|\/)ronin$/, 'ronin'],
];

export const gethForks: readonly OtherClient[] = [
  client('sonic', 'execution', {
    programs: ['sonicd', 'opera'],
    idle: 'account attach checkconfig dumpconfig export import help license version',
    images: /(?:^|\/)(?:fantom\/opera|sonic-node|sonicd?|opera)$/,
    own: 'validator.id validator.pubkey validator.password',
    clientName: /^(?:go-opera|sonic)\//i,
    configFiles: '--config',
    interfaces: gethInterfaces(18545, 18546),
  }),
  client('quorum', 'execution', {
    ...common,
    programs: [],
    sharedPrograms: ['geth'],
    images: /(?:^|\/)(?:quorumengineering|consensys)\/quorum$|(?:^|\/)quorum$/,
    own: 'raft raftport raftblocktime raftjoinexisting raftdnsenable permissioned ptm.*',
    clientName: /^Geth\/.*quorum/i,
  }),
  client('celo', 'execution', {
    ...common,
    programs: [],
    sharedPrograms: ['geth'],
    images: /(?:^|\/)celo-org\/(?:geth|celo-node)$/,
    own: 'celostats proxy.proxied proxy.allowprivateip proxy.internalendpoint',
    clientName: /^celo\//i,
  }),
  client('viction', 'execution', {
    ...common,
    programs: ['tomo', 'viction'],
    images: /(?:^|\/)tomochain\/(?:node|tomochain)$|(?:^|\/)buildonviction\/|(?:^|\/)viction$/,
    own: 'tomox tomox.* announce-txs store-reward',
    clientName: /^(?:tomo|viction)\//i,
  }),
  client('XDC', 'execution', {
    ...common,
    images: /(?:^|\/)xinfinorg\/|(?:^|\/)xdposchain$/,
    own: 'XDCx XDCx.* enable-0x-prefix',
    clientName: /^XDC\//i,
  }),
  client('l2geth', 'execution', {
    ...common,
    images: /(?:^|\/)(?:scroll-?)?l2geth$/,
    own: 'rollup.clienthttp rollup.backend rollup.verifier eth1.* l1.endpoint l1.confirmations rollup.verify',
  }),
  ...named.map(([name, images, program]) =>
    client(name, 'execution', { ...common, programs: program === undefined ? [] : [program], images }),
  ),
];
