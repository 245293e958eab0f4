/** Upgrades facts that an older version saved: facts that it did not gather are not seen. */
import type { EndpointFacts } from '../facts/live.js';
import { isMoot, type NotSeenCode, notSeen } from '../facts/seen.js';
import { kinds } from '../kinds/index.js';
import { launchers, packages } from '../kinds/names.js';
import { olderKind } from '../kinds/node.js';
import { probesOf } from '../probe/probes/index.js';
import { emptyFacts } from '../probe/run.js';
import { readConf } from '../read-conf.js';

type Saved = Readonly<Record<string, unknown>>;

const unasked = notSeen('not-asked', 'not asked when these facts were saved');

/** A saved target with every fact of this version; a value that is not a target is unchanged. */
export function completed(target: unknown): unknown {
  if (!isRecord(target)) return target;
  const { conf, live } = target;
  return { ...target, conf: seenOf(conf, newerConf), live: isRecord(live) ? liveOf(live) : live };
}

function liveOf(live: Saved): Saved {
  return {
    sockets: [],
    ...live,
    ...each(live, 'endpoints', endpointOf),
    ...each(live, 'metrics', (port) => ({ kind: 'metrics', bind: unasked, ...withCodes(port) })),
    process: seenOf(live.process, processOf),
  };
}

/** A missing fact of a probe that runs on this endpoint today is not-asked. */
function endpointOf(saved: Saved): Saved {
  const { endpoint, source } = saved as Pick<EndpointFacts, 'endpoint' | 'source'>;
  if (!isRecord(endpoint) || !isRecord(saved.sent)) return saved;
  const own = probesOf(kinds).filter(({ over }) => over.includes(endpoint.kind));
  const facts = {
    ...emptyFacts({ endpoint, raw: '', authorization: null, secrets: [] }, source),
    bind: unasked,
    ...Object.fromEntries(own.flatMap(({ fact }) => (fact === 'methods' ? [] : [[fact, unasked]]))),
    ...withCodes(saved),
  };
  for (const probe of own) {
    if (probe.fact !== 'methods' || !isRecord(facts.methods) || Object.hasOwn(facts.methods, probe.method))
      continue;
    const why = probe.unless?.(facts) ?? unasked;
    if (!isMoot(why)) facts.methods = { ...facts.methods, [probe.method]: why };
  }
  return { ...facts };
}

/** Adds the facts of a process that older versions did not read. */
function processOf(saved: Saved): Saved {
  const absent = { environment: unasked, folder: unasked, sockets: unasked };
  const settings = isRecord(saved.settings) ? settingsOf(saved.settings) : null;
  return { network: 'same', root: '', container: null, ...absent, ...saved, settings };
}

/** The first versions saved the lines of a conf with its settings: here the lines are read again. */
function newerConf(saved: Saved): unknown {
  const { path, lines, settings } = saved;
  if (!Array.isArray(lines)) {
    if (!isRecord(settings)) return saved;
    const others = each(saved, 'alternatives', (one) =>
      isRecord(one.conf) ? { ...one, conf: newerConf(one.conf) } : one,
    );
    return { ...saved, settings: settingsOf(settings), ...others };
  }
  const launcher = launchers.find((one) => one === saved.launcher);
  const from = packages.find((one) => one === saved.package);
  if (typeof path !== 'string' || launcher === undefined) return saved;
  return readConf(path, Buffer.from(lines.join('\n')), { launcher, package: from });
}

/** Adds the kind and the evidence for launcher and package. Evidence for the package was not saved: a guess. */
function settingsOf(settings: Saved): Saved {
  const by = settings.guessed === true ? 'guess' : 'name';
  return { kind: olderKind(kinds), by, packageBy: 'guess', ...settings };
}

/** The states of the first versions, which had no codes. */
const codes: Readonly<Record<string, NotSeenCode>> = {
  refused: 'refused',
  unreachable: 'unreachable',
  skipped: 'not-applicable',
  unreadable: 'unreadable',
};

/** Adds the code to each fact that was not seen. */
function withCodes(saved: Saved): Saved {
  const coded = (value: unknown): unknown => {
    if (!isRecord(value) || typeof value.state !== 'string' || typeof value.reason !== 'string') return value;
    return notSeen(codes[value.state] ?? 'unreadable', value.reason);
  };
  const methods = isRecord(saved.methods) ? Object.entries(saved.methods) : null;
  return {
    ...Object.fromEntries(Object.entries(saved).map(([name, value]) => [name, coded(value)])),
    ...(methods === null
      ? {}
      : { methods: Object.fromEntries(methods.map(([name, value]) => [name, coded(value)])) }),
  };
}

/** Applies `read` to the value of a seen fact. */
function seenOf(saved: unknown, read: (value: Saved) => unknown): unknown {
  const { fact } = withCodes({ fact: saved });
  return isRecord(fact) && isRecord(fact.value) ? { ...fact, value: read(fact.value) } : fact;
}

function each(live: Saved, name: string, read: (one: Saved) => Saved): Saved {
  const all = live[name];
  return Array.isArray(all) ? { [name]: all.map((one) => (isRecord(one) ? read(one) : one)) } : {};
}

export function isRecord(value: unknown): value is Saved {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
