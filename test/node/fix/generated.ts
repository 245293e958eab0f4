/** Files of every kind that starts a node, with settings that rules have something to say about. */
import type { Random } from '../sources/random.js';

const lists = ['eth', 'eth,debug', 'eth,admin,personal', 'klay,ETH', 'miner,klay', 'db', ''];
const addresses = ['0.0.0.0', '0.0.0.0', '127.0.0.1', '10.0.0.4'];
const open = ['*', 'https://app.example', 'https://app.example,*'];

/** Flags of a node, each as one word or as two. */
function flags(random: Random): string[] {
  const valued = (name: string, value: string): string[] =>
    random.chance(0.5) ? [`--${name}=${value}`] : value === '' ? [`--${name}=`] : [`--${name}`, value];
  const one = (): string[] =>
    random.weighted<() => string[]>([
      [4, () => ['--rpc']],
      [2, () => ['--ws']],
      [4, () => valued(random.pick(['rpcapi', 'wsapi', 'http-rpc.api']), random.pick(lists))],
      [3, () => valued(random.pick(['rpcaddr', 'wsaddr']), random.pick(addresses))],
      [3, () => valued(random.pick(['rpccorsdomain', 'rpcvhosts', 'wsorigins']), random.pick(open))],
      [1, () => ['--metrics', '--prometheus']],
      [1, () => ['--pprof', ...(random.chance(0.5) ? valued('pprofaddr', '0.0.0.0') : [])]],
      [
        1,
        () => [random.pick(['--no.such', '--rpc.unsafe-debug.disable', '--allow-insecure-unlock', '--grpc'])],
      ],
      [1, () => valued('identity', random.pick(['a', 'node-1']))],
    ])();
  const words = Array.from({ length: 2 + random.below(6) }, one).flat();
  return ['--datadir', '/data', ...words];
}

const variables = (random: Random): [string, string][] =>
  Array.from({ length: random.below(4) }, (): [string, string] => [
    random.pick(['KAIA_RPCAPI', 'KLAYTN_WSAPI', 'KAIA_RPCVHOSTS', 'KAIA_RPCADDR', 'KAIA_RPC', 'OTHER']),
    random.pick(['eth', 'eth,debug', '*', '0.0.0.0', 'true', '1']),
  ]);

const double = (word: string): string => `"${word}"`;
const single = (word: string): string => `'${word}'`;

/** As YAML lets a word stand by itself, and in quotes where it does not. */
function item(random: Random, word: string): string {
  const bare = /^[\w./-][\w.,:/=-]*$/.test(word) && !/^(?:true|[\d.]+)$/.test(word);
  return random.pick([double, single, ...(bare ? [(one: string) => one, (one: string) => one] : [])])(word);
}

/** Words of a shell, in quotes where they need them. */
function shell(random: Random, words: readonly string[], join = ' '): string {
  const written = (word: string) =>
    /[*]/.test(word) || random.chance(0.1) ? random.pick([single, double])(word) : word;
  return words.map(written).join(join);
}

const indented = (text: string, by: number): string => text.replaceAll(/^(?=.)/gm, ' '.repeat(by));

/** The command of a container, in one of the ways YAML has for it. */
function command(random: Random, key: string, words: readonly string[], shellForms = true): string {
  const block = () =>
    `${key}:\n${words.map((one) => `  - ${item(random, one)}${random.chance(0.1) ? ' # note' : ''}\n`).join('')}`;
  const flow = () => `${key}: [${words.map((one) => random.pick([double, single])(one)).join(', ')}]\n`;
  const lines = () => `${key}: [\n${words.map((one) => `  ${double(one)}`).join(',\n')}\n]\n`;
  const folded = () =>
    `${key}: ${random.pick(['>-', '>', '|'])}\n${indented(shell(random, words, random.pick([' ', '\n'])), 2)}\n`;
  const text = () => `${key}: ${words.join(' ').replaceAll('*', 'x')}\n`;
  return random.pick([block, block, flow, lines, ...(shellForms ? [folded, text] : [])])();
}

const ports = (random: Random): string =>
  random.pick([
    'network_mode: host\n',
    '',
    'ports:\n  - "8551:8551"\n',
    "ports:\n  - 8552:8552 # ws\n  - '0.0.0.0:8551:8551'\n",
    'ports:\n  - target: 8551\n    published: 8551\n    host_ip: 0.0.0.0\n',
  ]);

/** Lines of a conf that a container or a script makes. */
function confLines(random: Random): string[] {
  const value = (text: string) => (random.chance(0.7) ? double(text) : text.replace('*', 'x'));
  return [
    'NETWORK="mainnet"',
    'DATA_DIR=/data',
    'RPC_ENABLE=1',
    `RPC_API=${value(random.pick(lists))}`,
    `RPC_ADDR=${value(random.pick(addresses))}`,
    ...(random.chance(0.5) ? [`RPC_CORSDOMAIN=${value(random.pick(open))}`, 'RPC_VHOSTS=""'] : []),
    ...(random.chance(0.3) ? ['ADDITIONAL="$ADDITIONAL --rpc.unsafe-debug.disable"'] : []),
    ...(random.chance(0.3) ? ['LOG_MAXBACKUPS=10'] : []),
  ];
}

function service(random: Random): string {
  const words = ['ken', ...flags(random)];
  const environment = variables(random);
  const asMap = random.chance(0.5);
  const written = environment.map(([name, value]) =>
    asMap
      ? `  ${name}: ${random.pick([double, single])(value)}\n`
      : `  - ${item(random, `${name}=${value}`)}\n`,
  );
  const unique = asMap
    ? [...new Map(environment.map(([name], at) => [name, written[at]])).values()]
    : written;
  const start = random.chance(0.15)
    ? `entrypoint:\n  - /bin/sh\n  - -c\n  - |\n${indented([...confLines(random).map((line) => `echo '${line}' >> /klaytn-docker-pkg/conf/kend.conf`), '/klaytn-docker-pkg/bin/kend start'].join('\n'), 4)}\n`
    : command(random, random.pick(['command', 'entrypoint']), words);
  return `image: kaiachain/kaia:v2.2.1\n${start}${unique.length === 0 ? '' : `environment:\n${unique.join('')}`}${ports(random)}`;
}

const compose = (random: Random): string =>
  `services:\n  en:\n${indented(service(random), 4)}${random.chance(0.3) ? `  other:\n${indented(service(random), 4)}` : ''}`;

function pod(random: Random): string {
  if (random.chance(0.25)) {
    const conf = indented(`${confLines(random).join('\n')}\n`, 4);
    return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: conf\ndata:\n  kend.conf: |\n${conf}---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: en\nspec:\n  hostNetwork: true\n  containers:\n    - name: en\n      image: kaiachain/kaia:v2.2.1\n      command: ["/klaytn-docker-pkg/bin/kend", "start"]\n      volumeMounts:\n        - name: conf\n          mountPath: /klaytn-docker-pkg/conf\n  volumes:\n    - name: conf\n      configMap:\n        name: conf\n`;
  }
  const env = variables(random).map(([name, value]) => `  - name: ${name}\n    value: ${double(value)}\n`);
  const words = flags(random);
  const start = random.chance(0.5)
    ? `command: [ken]\n${command(random, 'args', words, false)}`
    : command(random, 'command', ['ken', ...words], false);
  const container = `name: en\nimage: kaiachain/kaia:v2.2.1\n${start}${env.length === 0 ? '' : `env:\n${env.join('')}`}`;
  return `apiVersion: v1\nkind: Pod\nmetadata:\n  name: en\nspec:\n${random.chance(0.5) ? '  hostNetwork: true\n' : ''}  containers:\n    - ${indented(container, 6).trimStart()}`;
}

function unit(random: Random): string {
  const environment = variables(random).map(
    ([name, value]) =>
      `Environment=${random.chance(0.5) ? double(`${name}=${value}`) : `${name}=${value}`}\n`,
  );
  const words = shell(random, flags(random), random.pick([' ', ' ', ' \\\n  ']));
  const start = `ExecStart=/usr/bin/ken ${words}\n`;
  return random.chance(0.3)
    ? `[Service]\nExecStart=\n${start}`
    : `[Unit]\nDescription=a node\n\n[Service]\nUser=kaia\n${environment.join('')}${start}Restart=always\n\n[Install]\nWantedBy=multi-user.target\n`;
}

function dockerfile(random: Random): string {
  const words = flags(random);
  const env = variables(random).map(([name, value]) => `ENV ${name}=${value}\n`);
  const json = (all: readonly string[]) => JSON.stringify(all).replaceAll(',"', random.pick([', "', ',"']));
  const start = random.pick([
    () => `ENTRYPOINT ["ken"]\nCMD ${json(words)}\n`,
    () => `ENTRYPOINT ${json(['ken', ...words])}\n`,
    () => `CMD ken ${shell(random, words, random.pick([' ', ' \\\n  ']))}\n`,
  ])();
  return `FROM kaiachain/kaia:v2.2.1\n${env.join('')}EXPOSE 8551\n${start}`;
}

function script(random: Random): string {
  const words = shell(random, flags(random), random.pick([' ', ' ', ' \\\n  ']));
  return random.pick([
    () => `#!/bin/sh\nset -eu\nexec ken ${words}\n`,
    () => `#!/bin/bash\nken ${words} >> /var/log/kend.out 2>&1 &\necho started\n`,
    () => `#!/bin/bash\nAPI="${random.pick(lists)}"\nexec ken --rpcapi "$API" ${words}\n`,
    () =>
      `#!/bin/sh\nCONF=/klaytn-docker-pkg/conf/kend.conf\n${confLines(random)
        .map((line) => `echo '${line}' >> "$CONF"`)
        .join('\n')}\nkend start\n`,
  ])();
}

function yaml(random: Random): string {
  const text = (value: string) =>
    /^[\w.]+$/.test(value) && random.chance(0.5) ? value : random.pick([double, single])(value);
  const api = random.pick(lists.slice(0, -1));
  return random.pick([
    () =>
      `common:\n  datadir: /data\nhttp-rpc:\n  enable: true\n  addr: ${text(random.pick(addresses))} # where\n  api: ${text(api)}\n  cors-domain: ${text(random.pick(open))}\nws-rpc.enable: ${random.chance(0.5)}\nws-rpc.api: ${text(random.pick(lists.slice(0, 3)))}\n`,
    () =>
      `rpc: true\nrpcaddr: ${text(random.pick(addresses))}\n${random.chance(0.5) ? `rpcapi: ${text(api)}\n` : ''}rpcvhosts: ${text(random.pick(open))}\npprof: ${random.chance(0.3)}\n`,
  ])();
}

function environment(random: Random): string {
  const lines = variables(random).map(
    ([name, value]) => `${name}=${random.pick([(one: string) => one, double])(value)}`,
  );
  return `# A node\nKAIA_RPC=true\n${lines.join('\n')}\n${random.chance(0.5) ? 'KAIA_RPCAPI="eth,admin"\n' : ''}`;
}

const kinds = {
  'compose.yml': compose,
  'pod.yaml': pod,
  'ken.service': unit,
  Dockerfile: dockerfile,
  'start.sh': script,
  'kaia.yaml': yaml,
  'node.env': environment,
  'command line': (random: Random) => `ken ${shell(random, flags(random))}`,
} as const;

export type Kind = keyof typeof kinds;
export const kindsOfFile = Object.keys(kinds) as Kind[];

/** One file of the kind; now and then with the line ends of Windows. */
export function generatedFile(kind: Kind, random: Random): string {
  const text = kinds[kind](random);
  return random.chance(0.03) && kind !== 'start.sh' ? text.replaceAll('\n', '\r\n') : text;
}
