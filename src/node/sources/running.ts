/** The settings of a running node, from its command line and environment. */
import type { Conf } from '../facts/facts.js';
import type { ProcessFacts } from '../facts/live.js';
import type { ReleaseFound } from '../facts/release.js';
import type { Settings } from '../facts/settings.js';
import { starterOfProcess } from '../kinds/find.js';
import type { Kind, KindListeners, KindReleases } from '../kinds/kind.js';
import { variableOf } from './environment/environment.js';
import { loneLaunch } from './launch/launch.js';
import { confOfLaunch } from './launch/settings.js';
import { LineIndex } from './text/line-index.js';
import { Placed } from './text/placed.js';
import { Steps } from './text/steps.js';

export interface Running {
  readonly conf: Conf;
  /** Ports of the peer-to-peer protocol: JSON-RPC is never sent to them. It is null if they cannot be known. */
  readonly peerPorts: readonly number[] | null;
}

/** Returns null if the program is not a node's. Places refer to a text with one flag or variable on each line. */
export function running(
  kinds: readonly Kind[],
  node: Pick<ProcessFacts, 'pid' | 'name' | 'argv' | 'environment' | 'build'>,
): Running | null {
  const [program = '', ...given] = node.argv;
  const starter = starterOfProcess(kinds, node);
  if (starter === null) return null;
  const { kind, launcher } = starter;
  const first = given.findIndex((word) => word.startsWith('-'));
  const variables = node.environment.state === 'seen' ? Object.entries(node.environment.value) : [];
  const title = node.name ?? `pid ${node.pid}`;
  const { file, words, values } = written(title, first < 0 ? [] : given.slice(first), variables);
  const conf = confOfLaunch(
    loneLaunch({
      kind,
      launcher,
      by: 'launch',
      start: { kind: 'binary', words },
      environment: new Map(values.map((value, at) => [variables[at]?.[0] ?? '', variableOf(value)])),
      paths: [program],
      at: file.span({ start: 0, end: 0 }),
    }),
    {
      source: { kind: 'process', path: file.file, lines: file.lines(), comments: [], file: null },
      steps: new Steps(),
      running: releaseOf(kind, node),
    },
  );
  // The node runs, so its release accepts settings that the known releases refuse.
  const listeners = conf.settings.listeners.map(({ refused: _, ...listener }) => listener);
  return {
    conf: { ...conf, settings: { ...conf.settings, listeners } },
    peerPorts: peerPortsOf(kind, conf.settings),
  };
}

/** The release that the program's build information tells. */
function releaseOf({ evidence }: KindReleases, { build }: Pick<ProcessFacts, 'build'>): ReleaseFound | null {
  const range = build?.state === 'seen' ? evidence.ofBuild(build.value) : null;
  return range === null ? null : { ...range, by: 'build' };
}

function written(name: string, words: readonly string[], variables: readonly (readonly [string, string])[]) {
  let text = '';
  const append = (piece: string, value = piece): readonly [number, number] => {
    text += piece;
    return [text.length - value.length, text.length];
  };
  const places = words.map((word, at) => {
    if (at > 0) append(word.startsWith('-') ? '\n' : ' ');
    return append(word);
  });
  const valuePlaces = variables.map(([variable, value]) => {
    if (text !== '') append('\n');
    return append(`${variable}=${value}`, value);
  });
  const file = new LineIndex(name, text);
  const placed = ([start, end]: readonly [number, number]): Placed => Placed.at(file, start, end);
  return { file, words: places.map(placed), values: valuePlaces.map(placed) };
}

function peerPortsOf(kind: KindListeners, { launcher, values }: Settings): number[] | null {
  const ports = kind.peerPorts(launcher, values).filter(({ protocol }) => protocol === 'tcp');
  const known = ports.flatMap(({ port }) => port ?? []);
  return known.length === ports.length ? known : null;
}
