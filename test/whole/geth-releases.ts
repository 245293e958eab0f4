/** Starts of geth, written into files of four formats with or without a sign of their release. */

/**
 * A start: the words after the program, what each release does with them, and what is said where no release or only
 * v1.9.x is known. `severity rule subject` of what is medium or worse; of what is critical, with its releases.
 */
interface Expected {
  readonly words: string;
  readonly releases: Readonly<Record<string, readonly string[]>>;
  readonly any: readonly string[];
  readonly 'release-1.9': readonly string[];
}

const open = 'medium public-bind http 0.0.0.0';
const admin = 'critical privileged-module http admin';
const debug = 'critical privileged-module http debug';
const personal = 'critical privileged-module http personal';
const txpool = 'medium privileged-module http txpool';
const unlocked = 'critical unlocked-account --unlock';
const everything = 'everything-offered http 0.0.0.0';
const lacks = (flags: string) => `medium removed-flag ${flags}`;
const oldNames = 'newer ones refuse --rpc, --rpcaddr and --rpcapi';
const stray = 'medium malformed-flag stray-word';

export const starts = {
  'old names': {
    words: '--rpc --rpcaddr 0.0.0.0 --rpcapi admin,eth',
    releases: { '..v1.10.8': [admin, open], 'v1.10.9..': [lacks('rpc, rpcaddr, rpcapi')] },
    any: [`${admin}: In releases up to geth v1.10.8 (${oldNames}): `, open],
    'release-1.9': [admin, open],
  },
  'new names': {
    words: '--http --http.addr 0.0.0.0 --http.api eth,debug',
    releases: { '..v1.9.13': [lacks('http, http.addr, http.api')], 'v1.9.14..': [debug, open] },
    any: [debug, open],
    'release-1.9': [debug, open],
  },
  personal: {
    words: '--http --http.addr 0.0.0.0 --http.api eth,personal',
    releases: {
      '..v1.9.13': [lacks('http, http.addr, http.api')],
      'v1.9.14..v1.14.11': [personal, open],
      'v1.14.12..': [open, 'medium unknown-module http personal'],
    },
    any: [`${personal}: In releases geth v1.9.14 to v1.14.11: `, open],
    'release-1.9': [personal, open],
  },
  unlock: {
    words: '--rpc --rpcaddr 0.0.0.0 --rpcapi eth --unlock 0',
    releases: {
      '..v1.8.27': [unlocked, open],
      // The guard keeps these from starting.
      'v1.9.0..v1.10.8': [unlocked, 'medium conflicting-flags unlock', open],
      'v1.10.9..v1.17.3': [lacks('rpc, rpcaddr, rpcapi')],
      'v1.17.4..': [lacks('rpc, rpcaddr, rpcapi, unlock')],
    },
    any: [`${unlocked}: In releases up to geth v1.8.27: `, open],
    'release-1.9': [unlocked, 'medium conflicting-flags unlock', open],
  },
  allowed: {
    words: '--http --http.addr 0.0.0.0 --http.api eth --unlock 0 --allow-insecure-unlock',
    releases: {
      '..v1.8.27': [lacks('http, http.addr, http.api, allow-insecure-unlock')],
      'v1.9.0..v1.9.13': [lacks('http, http.addr, http.api')],
      'v1.9.14..v1.14.11': [unlocked, open],
      'v1.14.12..v1.17.3': [open],
      'v1.17.4..': [open, lacks('unlock, allow-insecure-unlock')],
    },
    any: [`${unlocked}: In releases geth v1.9.14 to v1.14.11: `, open],
    'release-1.9': [unlocked, open],
  },
  'empty list': {
    words: "--http --http.addr 0.0.0.0 --http.api ''",
    releases: {
      '..v1.9.13': [lacks('http, http.addr, http.api')],
      'v1.9.14..v1.9.15': [open],
      'v1.9.16..v1.10.19': [`medium ${everything}`, txpool, open],
      'v1.10.20..v1.13.15': [
        `critical ${everything}`,
        admin,
        debug,
        personal,
        'medium privileged-module http miner',
        txpool,
        open,
      ],
      'v1.14.0..v1.14.11': [
        `critical ${everything}`,
        admin,
        debug,
        personal,
        'medium privileged-module http miner',
        txpool,
        open,
      ],
      'v1.14.12..v1.17.0': [
        `critical ${everything}`,
        admin,
        debug,
        'medium privileged-module http miner',
        txpool,
        open,
      ],
      'v1.17.1..': [
        `critical ${everything}`,
        admin,
        debug,
        'medium privileged-module http miner',
        'medium privileged-module http testing',
        txpool,
        open,
      ],
    },
    any: [
      `critical ${everything}: In releases from geth v1.10.20 on: `,
      `${admin}: In releases from geth v1.10.20 on: `,
      `${debug}: In releases from geth v1.10.20 on: `,
      `${personal}: In releases geth v1.10.20 to v1.14.11: `,
      'medium privileged-module http miner',
      'medium privileged-module http testing',
      txpool,
      open,
    ],
    'release-1.9': [`medium ${everything}`, txpool, open],
  },
  engine: {
    words: '--ws --ws.addr 0.0.0.0 --ws.api engine',
    releases: {
      '..v1.9.13': [lacks('ws.addr, ws.api')],
      'v1.9.14..v1.10.18': ['medium public-bind ws 0.0.0.0'],
      'v1.10.19..v1.10.26': ['critical privileged-module ws engine', 'medium public-bind ws 0.0.0.0'],
      'v1.11.0..': ['medium public-bind ws 0.0.0.0'],
    },
    any: [
      'critical privileged-module ws engine: In releases geth v1.10.19 to v1.10.26: ',
      'medium public-bind ws 0.0.0.0',
    ],
    'release-1.9': ['medium public-bind ws 0.0.0.0'],
  },
  authrpc: {
    words: '--authrpc.addr 0.0.0.0',
    releases: {
      '..v1.10.16': [lacks('authrpc.addr')],
      'v1.10.17..': ['medium engine-reach authrpc 0.0.0.0'],
    },
    any: ['medium engine-reach authrpc 0.0.0.0'],
    'release-1.9': [lacks('authrpc.addr')],
  },
  graphql: {
    words: '--graphql --graphql.addr 0.0.0.0',
    releases: {
      '..v1.8.27': [lacks('graphql, graphql.addr')],
      'v1.9.0..v1.9.18': ['medium public-bind graphql 0.0.0.0'],
      'v1.9.19..': [lacks('graphql.addr')],
    },
    any: ['medium public-bind graphql 0.0.0.0'],
    'release-1.9': ['medium public-bind graphql 0.0.0.0'],
  },
  stray: {
    words: '--rpc true --rpcaddr 0.0.0.0 --rpcapi admin',
    releases: {
      // Once the word is gone. Up to v1.8.12 the node starts without the flags behind it, which is not told.
      '..v1.10.8': [admin, stray, open],
      'v1.10.9..': [stray, lacks('rpc, rpcaddr, rpcapi')],
    },
    any: [`${admin}: In releases up to geth v1.10.8 (${oldNames}): `, stray, open],
    'release-1.9': [admin, stray, open],
  },
  hosts: {
    words: '--rpc --rpcaddr 0.0.0.0 --rpcapi eth --rpcvhosts node.example',
    releases: {
      '..v1.7.3': [open, lacks('rpcvhosts')],
      'v1.8.0..v1.8.23': [open],
      'v1.8.24..v1.8.24': [open, lacks('rpcvhosts')],
      'v1.8.25..v1.10.8': [open],
      'v1.10.9..': [lacks('rpc, rpcaddr, rpcapi, rpcvhosts')],
    },
    any: [open],
    'release-1.9': [open],
  },
} satisfies Readonly<Record<string, Expected>>;

export type Start = keyof typeof starts;
export const startNames = Object.keys(starts) as Start[];

/** The words as a shell reads them. */
const wordsOf = (start: Start) => starts[start].words.split(' ').map((word) => (word === "''" ? '' : word));
export const idOf = (start: Start) => start.replaceAll(' ', '-');
/** Images with every tool have no entrypoint: the command names the program. */
const before = (tag: string | null) => (tag?.startsWith('alltools-') ? ['geth'] : []);
const listOf = (start: Start, tag: string | null, indent: string) =>
  [...before(tag), ...wordsOf(start)].map((word) => `${indent}- ${JSON.stringify(word)}`).join('\n');

export interface Files {
  readonly [path: string]: string;
}

const image = (tag: string | null) => `ethereum/client-go${tag === null ? '' : `:${tag}`}`;
const line = (start: Start) => starts[start].words;

/** The name of the folder of a release's download; null: it is not known. */
const folderOf = (tag: string | null) =>
  /^v\d+\.\d+\.\d+$/.test(tag ?? '') ? `geth-linux-amd64-${tag?.slice(1)}-e7872729` : null;

/** Files in which each start is a target, by the tag of the release or of an image; null: nothing tells it. */
export const formats = {
  compose: (tag) => ({
    'compose.yaml': `services:\n${startNames
      .map(
        (start) =>
          `  ${idOf(start)}:\n    image: ${image(tag)}\n    network_mode: host\n    command:\n${listOf(start, tag, '      ')}\n`,
      )
      .join('')}`,
  }),
  kubernetes: (tag) => ({
    'nodes.yaml': startNames
      .map(
        (start) =>
          `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${idOf(start)}\nspec:\n  hostNetwork: true\n  containers:\n    - name: geth\n      image: ${image(tag)}\n      args:\n${listOf(start, tag, '        ')}\n`,
      )
      .join('---\n'),
  }),
  'docker run': (tag) =>
    perStart(
      'sh',
      (start) =>
        `#!/bin/sh\ndocker run -d --name geth --network host ${[image(tag), ...before(tag), line(start)].join(' ')}\n`,
    ),
  unit: (tag) =>
    perStart('service', (start) => `[Service]\nExecStart=${program(tag, '/opt')} ${line(start)}\n`),
  download: (tag) => perStart('sh', (start) => `#!/bin/sh\n${download(tag)}geth ${line(start)}\n`),
} satisfies Readonly<Record<string, (tag: string | null) => Files>>;

function perStart(extension: string, text: (start: Start) => string): Files {
  return Object.fromEntries(startNames.map((start) => [`${idOf(start)}.${extension}`, text(start)]));
}

function program(tag: string | null, below: string): string {
  const folder = folderOf(tag);
  return folder === null ? '/usr/bin/geth' : `${below}/${folder}/geth`;
}

function download(tag: string | null): string {
  const folder = folderOf(tag);
  return folder === null
    ? ''
    : `wget https://gethstore.blob.core.windows.net/builds/${folder}.tar.gz\ntar xzf ${folder}.tar.gz\ncp ${folder}/geth /usr/local/bin/\n`;
}
