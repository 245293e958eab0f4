/** Starts of reth and erigon in the shapes in which people keep them: the kind, the graver findings, and what stays open. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../src/node/facts/report.js';
import { run } from '../cli/run.js';

const root = mkdtempSync(join(tmpdir(), 'kaiactl-starts-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A folder as people keep it. */
interface Start {
  readonly files: Readonly<Record<string, string>>;
  /** Each target that was judged: its kind, and after a colon its critical and high findings, without those of files. */
  readonly judged: readonly string[];
  /** Rules of what was not followed or not judged, with the subject. */
  readonly open?: readonly string[];
}

/** Findings about files beside the start. */
const ofFiles = new Set(['loose-permissions', 'secret-in-conf']);

function said({ targets }: Report): Omit<Start, 'files'> {
  const judged = targets.filter(({ kind }) => kind !== null);
  const ledger = targets.flatMap(({ undetermined }) =>
    undetermined.filter(({ rule }) => /^(?:unjudged-node|unfollowed-start|relayed-interface)$/.test(rule)),
  );
  const open = ledger.map(({ rule, subject }) => `${rule} ${subject ?? ''}`.trim()).sort();
  return {
    judged: judged.map(({ kind, findings }) => {
      const grave = findings.filter(
        ({ rule, severity }) => /^(?:critical|high)$/.test(severity) && !ofFiles.has(rule),
      );
      return `${kind}: ${grave
        .map(({ severity, rule, subject }) => `${severity} ${rule} ${subject ?? ''}`.trim())
        .sort()
        .join(', ')}`;
    }),
    ...(open.length === 0 ? {} : { open }),
  };
}

const starts: Readonly<Record<string, Start>> = {
  'a compose service whose entrypoint names the program, behind nothing': {
    files: {
      'compose.yaml': `services:
  el:
    image: \${EL_IMAGE:-ghcr.io/paradigmxyz/reth}:\${EL_VERSION:-v1.10.2}
    entrypoint: [reth, node]
    command:
      - --http
      - --http.addr=0.0.0.0
      - --http.api=eth,admin,debug
      - --ws
      - --ws.addr=0.0.0.0
      - --ws.port=8545
      - --ws.api=eth,admin,debug
    ports: ["8545:8545"]
`,
    },
    judged: ['reth: high privileged-module http admin, high privileged-module ws admin'],
  },
  'a compose service of an image that only a variable names': {
    files: {
      'compose.yaml': `services:
  el:
    image: \${EL_IMAGE}
    command:
      - node
      - --rollup.sequencer-http=https://sequencer.example
      - --http
      - --http.addr=0.0.0.0
      - --http.api=eth,debug
      - --authrpc.jwtsecret=/jwt.hex
    ports: ["127.0.0.1:8545:8545"]
`,
    },
    judged: ['op-reth: '],
  },
  'words in a variable of a script that the service mounts': {
    files: {
      'compose.yaml': `services:
  el:
    image: ghcr.io/paradigmxyz/reth:latest
    volumes: ["./start.sh:/usr/local/bin/start.sh:ro"]
    entrypoint: ["/usr/local/bin/start.sh"]
    ports: ["9001:9001"]
`,
      'start.sh': `#!/usr/bin/env sh
set -eu
WORDS="node --http --http.addr 0.0.0.0 \\
  --http.api eth,net,web3 \\
  --metrics 0.0.0.0:9001"
if [ -n "\${TIP:-}" ]; then
  exec reth $WORDS --debug.tip "$TIP"
else
  exec reth $WORDS
fi
`,
    },
    judged: ['reth: '],
  },
  'a script that the image copies beside its folder': {
    files: {
      'compose.yaml': `services:
  el:
    build: { context: ., dockerfile: el/el.dockerfile }
    ports: ["8545:8545"]
`,
      'el/el.dockerfile': `FROM ghcr.io/paradigmxyz/reth:v2.4.0
COPY ./el/run.sh .
ENTRYPOINT ["./run.sh"]
`,
      'el/run.sh': `#!/usr/bin/bash
/usr/local/bin/reth node \\
  --http --http.addr 0.0.0.0 \\
  --http.api debug,eth,admin -vvv
`,
    },
    judged: ['reth: high privileged-module http admin, high privileged-module http debug'],
  },
  'a unit of two interfaces on this machine, which every web page reaches': {
    files: {
      'reth.service': `[Service]
ExecStart=/usr/local/bin/reth node --http --ws --http.api trace,eth,debug --ws.api eth,debug --metrics 127.0.0.1:9001
`,
    },
    judged: ['reth: '],
  },
  'every module, by the word all': {
    files: {
      'run.sh': `reth node --http --http.addr 0.0.0.0 --http.api all --dev --dev.block-time 1s
`,
    },
    judged: [
      'reth: critical privileged-module http testing, high dev-account http dev, high privileged-module http admin, high privileged-module http debug',
    ],
  },
  'no module, by the word none and by an empty list': {
    files: {
      'run.sh': `reth node --http --http.addr 0.0.0.0 --http.api none,admin --ws --ws.addr 0.0.0.0 --ws.api=
`,
    },
    judged: ['reth: '],
  },
  'a login over http and ws': {
    files: {
      'run.sh': `reth node --http --http.addr 0.0.0.0 --http.api eth,admin --rpc.jwtsecret 0c1c2d3e4f506172839405a6b7c8d9e0f102132435465768798a9bacbdcedfe0
`,
    },
    judged: ['reth: '],
  },
  'a start that the program refuses': {
    files: {
      'reth.service': `[Service]
ExecStart=/usr/local/bin/reth --chain mainnet --http --http.addr 0.0.0.0 --http.api eth,admin \\
  --http.vhosts localhost --metrics --metrics.addr 127.0.0.1
`,
    },
    judged: ['reth: high privileged-module http admin'],
  },
  'a start by a shell in a pod': {
    files: {
      'el.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: el }
spec:
  selector: { matchLabels: { app: el } }
  template:
    metadata: { labels: { app: el } }
    spec:
      containers:
        - name: reth
          image: ghcr.io/paradigmxyz/reth
          command: ["/bin/sh", "-c"]
          args:
            - >
              reth node --metrics 0.0.0.0:5055 --http --http.addr 0.0.0.0 --http.api "eth,net,web3"
---
apiVersion: v1
kind: Service
metadata: { name: el }
spec: { type: LoadBalancer, selector: { app: el }, ports: [{ port: 5055 }] }
`,
    },
    judged: ['reth: '],
  },
  'a development node beside one that is not, in one script': {
    files: {
      'nodes.sh': `#!/bin/bash
reth node --datadir a --http --http.api eth,admin &
ONE=$!
sleep 15
reth node --datadir b --http --http.port 8546 --http.api eth --dev &
wait $ONE
`,
    },
    judged: ['reth: ', 'reth: '],
  },
  'erigon with all its defaults': {
    files: { 'erigon.service': '[Service]\nUser=erigon\nExecStart=/home/erigon/erigon\n' },
    judged: ['erigon: '],
  },
  'a comment inside a command of a unit': {
    files: {
      'erigon.service': `[Service]
ExecStart=/usr/local/bin/erigon \\
  --http.addr=0.0.0.0 \\
  --http.api=eth,debug \\
#  --torrent.download.rate "64mb" \\
  --ws

User=erigon
`,
    },
    judged: ['erigon: critical privileged-module http debug'],
  },
  'ws without a check behind http with one': {
    files: {
      'erigon.service': `[Service]
ExecStart=/opt/erigon --ws --http.addr=127.0.0.1 --http.api=eth,debug --metrics --metrics.addr="0.0.0.0"
`,
    },
    judged: ['erigon: '],
  },
  'a unit that a script writes, with the port of the database open': {
    files: {
      'setup.sh': `#!/bin/bash
sudo tee /etc/systemd/system/erigon.service > /dev/null <<EOF
[Service]
User=erigon
ExecStart=/usr/local/bin/erigon/build/bin/erigon \\
  --datadir=/var/lib/erigon \\
  --http.api="eth,erigon,web3" \\
  --private.api.addr="0.0.0.0:9595"
[Install]
WantedBy=default.target
EOF
sudo systemctl start erigon
`,
    },
    judged: ['erigon: critical public-bind grpc 0.0.0.0'],
  },
  'a service that only other containers reach': {
    files: {
      'compose.yaml': `services:
  el:
    image: erigontech/erigon:v3.0.15
    entrypoint: [docker-entrypoint.sh, erigon, --private.api.addr, "0.0.0.0:9090"]
    command: [--http.addr, 0.0.0.0, --http.api, "eth,admin"]
  op:
    image: testinprod/op-erigon:v2.61.3-0.8.4
    command:
      - --http.addr=0.0.0.0
      - --http.port=8549
      - --http.api=eth,debug
      - --private.api.addr=0.0.0.0:9095
      - --ws
    ports: ["8549:8549"]
`,
    },
    judged: ['erigon: high privileged-module http debug, high public-bind grpc 0.0.0.0'],
    open: ['unfollowed-start el'],
  },
  'a daemon apart from its node': {
    files: {
      'supervisord.conf': `[supervisord]
nodaemon=true

[program:erigon]
command=erigon
    --private.api.addr=localhost:9080
    --datadir=/data

[program:rpcdaemon]
command=rpcdaemon
    --private.api.addr=10.0.0.9:9080
    --http.addr=0.0.0.0
    --http.api=eth
    --http.api=debug
    --datadir=/data
`,
    },
    judged: ['erigon: ', 'erigon: critical privileged-module http debug'],
  },
  'flags in a file that the start names': {
    files: {
      'compose.yaml': `services:
  el:
    image: hermeznetwork/cdk-erigon:v2.61.0
    command: ["--config=/app/el.yaml", "--nodiscover"]
    volumes: ["./el.yaml:/app/el.yaml:ro"]
    ports: ["8545:8545"]
`,
      'el.yaml': `http: true
private.api.addr: localhost:9091
http.api: [eth, debug]
http.addr: 0.0.0.0
`,
    },
    judged: ['erigon: critical privileged-module http debug'],
  },
  'words that a script passes on, with more of them': {
    files: {
      Dockerfile: `FROM erigontech/erigon:v3.3.7
COPY docker-entrypoint.sh /usr/local/bin/
ENTRYPOINT ["docker-entrypoint.sh", "erigon", "--http.addr", "0.0.0.0", "--http.api", "eth,admin"]
`,
      'docker-entrypoint.sh': `#!/usr/bin/env bash
set -euo pipefail
exec "$@" \${EL_EXTRAS:-}
`,
    },
    judged: ['erigon: high privileged-module http admin'],
  },
};

test.each(Object.entries(starts))('%s', async (name, { files, ...expected }) => {
  const folder = join(root, name.replaceAll(/\W+/g, '-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { out } = await run(['node', 'lint', '.', '--format', 'json'], { cwd: folder });
  const report = JSON.parse(out) as Report;
  const words = report.targets.flatMap(({ findings }) =>
    findings.flatMap(({ message, fix }) => [message, fix]),
  );
  expect(words.join('\n')).not.toMatch(/\bgeth\b|Kaia|klay/);
  expect(said(report)).toEqual(expected);
});
