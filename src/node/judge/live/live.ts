/** A live node as rules see it: the facts of each interface, its listener in the settings, and who reaches it. */

import { oncePer } from '../../../util/once-per.js';
import { withoutAssumed } from '../../facts/assumed.js';
import type { Facts } from '../../facts/facts.js';
import type { EndpointFacts, LiveFacts, Socket } from '../../facts/live.js';
import type { TargetReport } from '../../facts/report.js';
import { seenValue } from '../../facts/seen.js';
import { sharesProgram, starterOfProcess } from '../../kinds/find.js';
import type { Kind } from '../../kinds/kind.js';
import { kindAnswering, kindKnown, type Node, type NodeSettings, withKind } from '../../kinds/node.js';
import { isOpen } from './answers.js';
import { isRestartPending } from './command-line.js';
import {
  type LiveEndpoint,
  type LiveEngine,
  type LiveGrpc,
  type LivePort,
  liveEndpoint,
  livePort,
  noneKnown,
  openedPort,
} from './interfaces.js';
import { releaseSeen } from './release.js';

export interface Live extends Node {
  /** The kind of the node, from its answers, else from its process or settings; null if it is not known. */
  readonly kind: string | null;
  readonly kindBy: KindBy | null;
  /** The file of settings whose node was not seen, because another kind of node answers; null if there is none. */
  readonly inPlaceOf: string | null;
  readonly endpoints: readonly LiveEndpoint[];
  readonly metrics: readonly LivePort[];
  readonly grpc: readonly LiveGrpc[];
  readonly engine: readonly LiveEngine[];
  readonly process: LiveFacts['process'];
  /** The settings of its file, else of its process; null if it is not known, or those of another node. */
  readonly settings: NodeSettings | null;
  /** The settings that the running process was started with; null if it is not known. */
  readonly started: NodeSettings | null;
  readonly sockets: LiveFacts['sockets'];
  /** Sockets that may be the process's. */
  readonly unmatched: readonly Socket[];
  /** Whether the process was started with other settings than the file now contains. */
  readonly isRestartPending: boolean;
}

/** The live node of a target; null if the target has none. */
export function liveOf(facts: Facts, kinds: readonly Kind[]): Live | null {
  return facts.live === null ? null : liveAmong(kinds)(facts);
}

const liveAmong = oncePer((kinds: readonly Kind[]) => oncePer((facts: Facts) => deriveLive(facts, kinds)));

function deriveLive(facts: Facts, kinds: readonly Kind[]): Live | null {
  const { live } = facts;
  if (live === null) return null;
  const settings = facts.conf?.state === 'seen' ? withKind(kinds, facts.conf.value.settings) : null;
  const running = live.process.state === 'seen' ? live.process.value.settings : null;
  const started = running === null ? null : withKind(kinds, running);
  const known = {
    settings,
    declared: (settings?.listeners ?? []).map(withoutAssumed),
    started: started?.listeners ?? [],
    published: (live.process.state === 'seen' ? live.process.value.published : null) ?? [],
    sockets: (live.process.state === 'seen' ? seenValue(live.process.value.sockets) : null) ?? [],
    closed: facts.closed ?? [],
  };
  const { kind: own, kindBy } = identify(live, settings, kinds);
  const meant = settings?.kind ?? own;
  const found = releaseSeen(
    facts,
    kinds.filter(({ id }) => id === meant),
  );
  /** The kind with this id: another one than that of the settings has neither their release nor their listeners. */
  const identified = (kind: string | null) => {
    const isOther = kind !== meant;
    const release = isOther ? null : found;
    const nodeKind = kindKnown(kinds, { kind, release });
    return { kind, nodeKind, release, isForeign: kind !== null && (nodeKind === null || isOther) };
  };
  const { isForeign, ...identity } = identified(own);
  return {
    ...identity,
    kindBy,
    inPlaceOf: isForeign ? (settings?.source.path ?? null) : null,
    endpoints: live.endpoints.map((one) => {
      const { isForeign, ...identity } = identified(kindOfEndpoint(kinds, one, own));
      return { ...liveEndpoint(one, isForeign ? noneKnown : known, live, identity.nodeKind), ...identity };
    }),
    metrics: live.metrics.map((one) => livePort(one, known, live)),
    grpc: (live.grpc ?? []).map((one) => openedPort('grpc', one, known, live)),
    engine: (live.engine ?? []).map((one) => openedPort('authrpc', one, known, live)),
    process: live.process,
    settings: isForeign ? null : settings,
    started,
    sockets: live.sockets,
    unmatched: live.unmatched ?? [],
    isRestartPending: settings !== null && isRestartPending(settings, live),
    launcher: settings?.launcher ?? null,
    ...(settings === null ? {} : { by: settings.by }),
    role: facts.role,
  };
}

/** The evidence for the kind of a node, strongest first. */
export type KindBy = Exclude<TargetReport['kindBy'], undefined | null>;

/** An interface without modules of its own answers as any kind with the same program does: it is of the node's kind. */
function kindOfEndpoint(kinds: readonly Kind[], endpoint: EndpointFacts, own: string | null): string | null {
  const answering = kindAnswering(kinds, endpoint);
  const [known, other] = [kindKnown(kinds, { kind: own }), kindKnown(kinds, { kind: answering })];
  const isSame = known !== null && other !== null && sharesProgram(known, other);
  return answering === null || isSame ? own : answering;
}

/** The program's build information counts before the answers, those before its name, and that before the settings. */
function identify(
  { endpoints, process: node }: LiveFacts,
  settings: NodeSettings | null,
  kinds: readonly Kind[],
): Pick<Live, 'kind' | 'kindBy'> {
  const starter = node.state === 'seen' ? starterOfProcess(kinds, node.value) : null;
  if (starter?.by === 'build' && node.state === 'seen') {
    // Kinds that share a program have its build information too: the settings were read as the kind that answers.
    const kind = node.value.settings?.kind ?? starter.kind.id;
    return { kind, kindBy: kind === starter.kind.id ? 'build' : 'answer' };
  }
  const answers = endpoints.filter(isOpen).flatMap((one) => kindAnswering(kinds, one) ?? []);
  const [first = null] = answers;
  const known = answers.flatMap((kind) => kindKnown(kinds, { kind }) ?? []).at(0);
  // Of kinds that share a program, the fork is listed after the other.
  const fork = kinds.findLast(
    (kind) => known !== undefined && answers.includes(kind.id) && sharesProgram(kind, known),
  );
  if (first !== null) return { kind: fork?.id ?? first, kindBy: 'answer' };
  if (node.state === 'seen') {
    const kind = starter?.kind.id ?? settings?.kind;
    if (kind !== undefined) return { kind, kindBy: starter?.by === 'flags' ? 'settings' : 'name' };
  }
  return settings === null ? { kind: null, kindBy: null } : { kind: settings.kind, kindBy: 'settings' };
}
