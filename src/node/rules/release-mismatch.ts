/** An interface says another release than the program of the node's process is. */
import { advise } from '../fix/proposal/fix.js';
import { isOpen } from '../judge/live/answers.js';
import type { LiveEndpoint } from '../judge/live/interfaces.js';
import { badNode, goodNode, processOfExample } from '../judge/rule/examples.js';
import { type Draft, foundInEach, type Rule } from '../judge/rule/rule.js';
import { releaseName } from '../kinds/release.js';

const build = (tag: string) => {
  const module = 'github.com/kaiachain/kaia';
  const value = { path: `${module}/cmd/ken`, module, version: '(devel)', tag };
  return processOfExample({ build: { state: 'seen', value } });
};

export const releaseMismatch: Rule = {
  id: 'release-mismatch',
  severity: 'low',
  title: 'The node reports another release than its program has.',
  why: `A node is judged by the release in its program's build information. An interface that reports another release is answered by another program, such as a proxy or a second node, or the program was built from changed sources. Then findings and fixes may be those of the wrong release.`,
  fix: 'Find out which program answers at the address. If the program was built from changed sources, state its release with --node-version.',
  ignore: 'If the program was built from changed sources, and --node-version states its release.',
  sources: ['https://pkg.go.dev/debug/buildinfo', 'docs/releases.md'],
  examples: {
    bad: badNode('the program is kaia v2.1.0, and Klaytn/v2.2.1 answers', {}, undefined, build('v2.1.0')),
    good: goodNode('the program is kaia v2.2.1, and Klaytn/v2.2.1 answers', undefined, build('v2.2.1')),
  },
  on: 'live',
  check: ({ endpoints, nodeKind, process: node }) => {
    const facts = node.state === 'seen' && node.value.build?.state === 'seen' ? node.value.build.value : null;
    const built = (facts && nodeKind?.evidence.ofBuild(facts)?.value) ?? null;
    return foundInEach(
      endpoints.filter((one) => isOpen(one) && built !== null && saidBy(one) !== null),
      { findings: (one) => (saidBy(one) === built ? [] : [draft(one, built as string)]) },
    );
  },
};

/** The release that an interface reports; null if it reports none that is known. */
function saidBy({ client, nodeKind }: LiveEndpoint): string | null {
  return (client.state === 'seen' && nodeKind?.evidence.ofClient(client.value)?.value) || null;
}

function draft(endpoint: LiveEndpoint, built: string): Draft {
  const { name } = endpoint;
  const said = saidBy(endpoint) as string;
  return {
    subject: name,
    at: { endpoint: name },
    message: `${name} reports ${releaseName(said)}, and the program of the node’s process is ${releaseName(built)}.`,
    fix: advise('Find out which program answers there, or state the release with --node-version.'),
    evidence: { client: said, build: built },
  };
}
