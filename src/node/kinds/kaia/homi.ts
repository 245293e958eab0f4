/** The compose file that `homi setup docker` writes, as far as it decides what its nodes open (cmd/homi of v2.2.1). */
import { valueIn } from '../flags.js';
import type { Generator } from '../kind.js';

/** The kinds of node in the order of their ports. */
const types = ['cn', 'pn', 'en', 'scn', 'spn', 'sen'];
const outputs = /^(?:docker|local|remote|deploy)$/;
const maxNodes = 50;
const modules =
  'db,eth,klay,net,governance,web3,miner,personal,txpool,debug,admin,istanbul,mainbridge,subbridge';

export const homi: Generator = {
  program: 'homi',
  // What stands before is looked at last, and bounded: at every character of a long line the search would be quadratic.
  command: /\bhomi[ \t]+setup\b(?<=^[^#\n]{0,200})/m,
  file: 'docker-compose.yml',
  output: (words) => {
    const isDocker = (words.findLast((word) => outputs.test(word)) ?? 'docker') === 'docker';
    if (words[0] !== 'setup' || !isDocker) return null;
    const image = valueIn(words, ['docker-image-id']) ?? 'kaiachain/kaia:latest';
    const folder = valueIn(words, ['output', 'o']) ?? 'homi-output';
    const nodes = types.flatMap((type) =>
      Array.from({ length: countOf(words, type) }, (_, at) => ({ type, at })),
    );
    const services = nodes.slice(0, maxNodes).map(({ type, at }, index) => serviceOf(type, at, index, image));
    return { path: `${folder}/docker-compose.yml`, text: `services:\n${services.join('')}` };
  },
};

/** A number that is not known counts as one node: all nodes of a type have the same settings. */
function countOf(words: readonly string[], type: string): number {
  const given = valueIn(words, [`${type}-num`]);
  if (given === null) return 0;
  return /^\d{1,4}$/.test(given) ? Number(given) : 1;
}

function serviceOf(type: string, at: number, index: number, image: string): string {
  const launcher = `k${type}d`;
  const conf = `/klaytn-docker-pkg/conf/${launcher}.conf`;
  const lines = [
    'NETWORK=""',
    'DATA_DIR="/klaytn"',
    'RPC_ENABLE=1',
    `RPC_API="${modules}"`,
    'NETWORK_ID="2018"',
    'NO_DISCOVER=1',
    ...(type === 'cn' ? [`REWARDBASE=${'0'.repeat(40)}`] : []),
    ...(type === 'en' && at === 0 ? ['SC_MAIN_BRIDGE=1', 'SC_MAIN_BRIDGE_PORT=50505'] : []),
    'ADDITIONAL="$$ADDITIONAL --debug --metrics --prometheus"',
  ];
  const unlock = `ken attach --exec "personal.unlockAccount('0x0', '', 999999999)" http://localhost:8551`;
  const script = [
    ...lines.map((line) => `echo '${line}' >> ${conf}`),
    `/klaytn-docker-pkg/bin/${launcher} start`,
    ...(type === 'cn' ? [unlock] : []),
  ];
  return `  ${type.toUpperCase()}-${at}:
    image: ${JSON.stringify(image)}
    ports: ["${8551 + index}:8551", "${61001 + index}:61001"]
    entrypoint:
      - /bin/sh
      - -c
      - |
${script.map((line) => `        ${line}\n`).join('')}`;
}
