/** Shared by the three wildcard rules: access lists with an entry that matches every caller. */

import { type AccessList, entryMatch, isWildcard, originsOf } from '../../facts/access.js';
import {
  type Assumed,
  hopsTo,
  hostThrough,
  isUnbrowsed,
  letsPagesIn,
  openThrough,
  passesOrigins,
  reachByAddress,
} from '../../facts/reach.js';
import { indeterminate, isLeftOut, isMoot } from '../../facts/seen.js';
import type { Listener } from '../../facts/settings.js';
import { advise, type Fix, setTo } from '../../fix/proposal/fix.js';
import { uncheckedList } from '../../kinds/interfaces.js';
import type { Kind } from '../../kinds/kind.js';
import type { NodeSettings } from '../../kinds/node.js';
import { declaredSwitch, switchOf } from '../exposure/unsafe-debug.js';
import { isAccessClosed, isAccessOpen, modulesOf } from '../live/answers.js';
import { factBlindSpots, unlockedAccounts } from '../live/blind-spots.js';
import type { LiveEndpoint } from '../live/interfaces.js';
import type { Live } from '../live/live.js';
import { relevantEndpoints } from '../live/parts.js';
import { type Check, type Draft, foundInEach, type Rule, type Verdict } from '../rule/rule.js';
import { listenerBlindSpots, listenersOn } from '../settings/listeners.js';
import { sureModules } from '../settings/module-lists.js';
import { placeOfFlags, settingName, writtenName } from '../settings/setting.js';
import { accessSeverity, unlocksAccount } from './severity.js';

interface Question {
  readonly kind: 'http' | 'ws';
  readonly setting: 'origins' | 'vhosts';
  /** What a web page can then do, as a clause. */
  readonly message: string;
}

/**
 * The checks of a rule about one access list. `declared` and `proven` say what a web page can then do, as clauses: by the
 * settings, and as the node showed.
 */
export function accessChecks(
  kind: Question['kind'],
  setting: Question['setting'],
  { declared, proven }: Readonly<Record<'declared' | 'proven', string>>,
): Extract<Check, { on: 'either' | 'exposure' }> & Pick<Rule, 'saidBy'> {
  return {
    saidBy: ['privileged-module', 'unsafe-debug', 'everything-offered', 'unlocked-account', 'public-bind'],
    on: 'exposure',
    ofSettings: (settings) => wildcard(settings, { kind, setting, message: declared }),
    ofLive: (live) => openAccess(live, { kind, setting, message: proven }),
  };
}

/**
 * One finding if the list has an entry that matches every caller, or if the node checks no caller; a blind spot if interface
 * or list is unknown.
 */
function wildcard(settings: NodeSettings, ask: Question): Verdict {
  const [listener] = listenersOn(settings, ask.kind);
  const blindSpots = listenerBlindSpots(settings, ask.kind);
  const flag = flagOf(settings.nodeKind, ask);
  if (listener !== undefined && !isChecked(settings.nodeKind, ask))
    return { findings: unchecked(settings, ask, listener), blindSpots };
  if (listener === undefined || flag === null) return { findings: [], blindSpots, applicable: false };
  const list = listener[ask.setting];
  if (list === null) {
    const reason =
      settings.values[flag]?.indeterminate ?? listener.reason ?? 'the list cannot be resolved offline';
    return { findings: [], blindSpots: [...blindSpots, indeterminate(ask.kind, reason)] };
  }
  const entry = list.find((one) => isWildcard(accessListOf(ask), one));
  return {
    findings:
      entry === undefined
        ? changedByRelays(settings, { ...ask, flag }, listener)
        : [draft(settings, { ...ask, flag }, listener, entry)],
    blindSpots,
  };
}

/** What proxies add to the list, or rewrite to the same effect, where no address reaches it through them anyway. */
function changedByRelays(
  settings: NodeSettings,
  ask: Question & { readonly flag: string },
  listener: Listener,
): Draft[] {
  const hops = hopsTo(listener);
  if (listener.assumed !== undefined || reachByAddress(listener).reach === 'any') return [];
  const name = writtenName(settings, ask.flag);
  return hops.flatMap((hop) => {
    const sent =
      ask.setting === 'vhosts' && openThrough(hop, listener) !== null ? hostThrough(hop, listener) : null;
    const host = sent?.isAccepted === true ? sent.host : null;
    const does =
      host !== null
        ? `sends Host ${host} in place of the client’s, which the node accepts: ${name} protects nothing behind it, and`
        : ask.setting === 'origins' && letsPagesIn(hop, listener)
          ? `answers every web page with its own CORS headers, whatever ${name} says, and`
          : ask.setting === 'origins' && passesOrigins(hop, listener)
            ? `replaces the Origin of every page by one that ${name} accepts, and`
            : null;
    if (does === null) return [];
    const [where = ''] = /^.*?(?= (?:forwards to|publishes) it)/.exec(hop.because) ?? [];
    return [
      {
        subject: `${ask.kind} ${checks[ask.setting].list} ${where}`,
        // No wildcard is written: a page gets there by a name of its own that leads to the proxy.
        severity: host === null ? severityBehind(settings, listener) : 'medium',
        at: hop.at,
        message: `${where} (${hop.at.file}:${hop.at.line}) ${does} ${ask.message}; ${hop.because}.`,
        fix: advise(
          host !== null
            ? 'Send the Host of the client (proxy_set_header Host $host), and list the names that clients use.'
            : 'Remove these headers from the proxy, or name the origins of the applications that need access.',
        ),
        evidence: { interface: ask.kind, bound: hop.access.open },
      },
    ];
  });
}

/** As high as the worst module that a page then reaches. */
function severityBehind(settings: NodeSettings, listener: Listener) {
  return accessSeverity(settings, sureModules(settings, listener), {
    kind: listener.kind,
    unsafeDebug: declaredSwitch(settings),
    unlocked: unlocksAccount(settings),
  });
}

function draft(
  settings: NodeSettings,
  ask: Question & { readonly flag: string },
  listener: Listener,
  entry: string,
): Draft {
  const { flag } = ask;
  const list = listener[ask.setting] ?? [];
  const name = writtenName(settings, flag);
  const bound = reachByAddress(listener);
  const isUnused = bound.reach === 'any' || bound.login !== undefined || isUnbrowsed(listener);
  const severity = isUnused ? 'low' : severityBehind(settings, listener);
  return {
    subject: name,
    severity,
    at: placeOfFlags(settings, flag, settings.nodeKind.interfaces.flags[ask.kind].enable),
    message: `${name} ${list.length === 1 ? 'is' : 'contains'} ${entry}${explanation(ask, entry)}: ${ask.message}${impact(bound, isUnused)}.`,
    fix: withoutWildcards(settings, ask, listener),
    evidence: { interface: ask.kind, value: list, bound: bound.reach },
  };
}

/** False where the node lets every caller of this kind in, whatever its settings. */
function isChecked(
  { interfaces }: Pick<Kind, 'interfaces'>,
  { kind, setting }: Pick<Question, 'kind' | 'setting'>,
) {
  return uncheckedList(kind, interfaces.checks) !== setting;
}

/** None where any address reaches the interface anyway, no browser does, or a web page lacks the token. */
function unchecked(settings: NodeSettings, ask: Question, listener: Listener): Draft[] {
  const bound = reachByAddress(listener);
  if (bound.reach === 'any' || bound.login !== undefined || isUnbrowsed(listener)) return [];
  const { enable } = settings.nodeKind.interfaces.flags[ask.kind];
  return [
    {
      ...uncheckedDraft(ask),
      at: placeOfFlags(settings, enable),
      message: `${ask.kind} checks no ${checks[ask.setting].header}, and no setting changes that: ${ask.message}; without a browser, ${bound.because}.`,
      evidence: { interface: ask.kind, checked: false, bound: bound.reach },
    },
  ];
}

/** For a node that checks no caller: low, since the rules on modules count web pages already. */
function uncheckedDraft({ kind, setting }: Question): Pick<Draft, 'subject' | 'severity' | 'fix'> {
  return {
    subject: `${kind} ${checks[setting].list}`,
    severity: 'low',
    fix: advise(
      `Offer on ${kind} only modules that any web page may call, or let a proxy that checks the ${checks[setting].header} reach it alone.`,
    ),
  };
}

/** The list without the entries that match every caller, and with the Host names that clients in a cluster use. */
function withoutWildcards(
  settings: NodeSettings,
  ask: Pick<Question, 'kind' | 'setting'> & { readonly flag: string },
  listener: Listener,
): Fix {
  const { flag } = ask;
  const kept = (listener[ask.setting] ?? []).filter((one) => !isWildcard(accessListOf(ask), one));
  const needed = ask.setting === 'vhosts' ? listener.container?.hostNames : [];
  const say = `List in ${writtenName(settings, flag)} only the entries that clients need`;
  if (needed === null) return advise(`${say}, with the names of its Services.`);
  const names = [...new Set([...kept, ...(needed ?? [])])];
  const more = names.length > kept.length ? `: ${names.join(', ')}` : '';
  return setTo(settings, flag, names.join(','), { say: `${say}${more}.` });
}

/** Fixes that remove the wildcard entries of an interface. */
export function removeWildcards(settings: NodeSettings, listener: Listener): Fix[] {
  const kind = listener.kind === 'ws' ? 'ws' : 'http';
  return (['origins', 'vhosts'] as const).flatMap((setting) => {
    const list = listener[setting] ?? [];
    const flag = flagOf(settings.nodeKind, { kind, setting });
    const open = list.some((one) => isWildcard(accessListOf({ kind, setting }), one));
    return open && flag !== null ? [withoutWildcards(settings, { kind, setting, flag }, listener)] : [];
  });
}

function flagOf(
  { interfaces }: Pick<Kind, 'interfaces'>,
  { kind, setting }: Pick<Question, 'kind' | 'setting'>,
) {
  const { flags } = interfaces;
  if (!isChecked({ interfaces }, { kind, setting })) return null;
  return setting === 'vhosts' ? flags.http.vhosts : flags[kind].origins;
}

function accessListOf({ kind, setting }: Pick<Question, 'kind' | 'setting'>): AccessList {
  return setting === 'vhosts' ? 'vhosts' : originsOf({ kind });
}

/** Why an entry other than * matches every caller. */
function explanation(ask: Question, entry: string): string {
  return entry === '*' ? '' : ` (${entryMatch(accessListOf(ask), entry).because})`;
}

/** How the entry changes who reaches the interface, as a clause. */
function impact({ reach, because, login }: Assumed, isUnused: boolean): string {
  if (!isUnused) return `; without it, ${because}`;
  if (login !== undefined)
    return `; it adds little, since a page does not have the ${login} that each caller needs`;
  return `; it adds little, since ${reach === 'any' ? because : `no browser runs there (${because})`}`;
}

/** The access check of a list, the name of the list on a node of unknown kind, and what it checks. */
const checks = {
  origins: { fact: 'foreignOrigin', list: 'origins', header: 'Origin' },
  vhosts: { fact: 'foreignHost', list: 'hosts', header: 'Host name' },
} as const;

/** One finding per endpoint that accepted a foreign caller; a blind spot where that was not seen. */
function openAccess(live: Live, ask: Question): Verdict {
  const { fact } = checks[ask.setting];
  const endpoints = relevantEndpoints(live, ask.kind);
  const verdict = foundInEach(
    endpoints.filter((one) => !isMoot(one[fact])),
    {
      findings: (one) => (isAccessOpen(one[fact]) ? liveDraft(live, one, ask) : []),
      refuted: (one) => (isAccessClosed(one[fact]) ? subjectsOf(live, ask) : []),
      blindSpots: (one) => factBlindSpots(one, fact),
    },
  );
  return { ...verdict, leftOut: endpoints.some((one) => isLeftOut(one[fact])) };
}

function liveDraft(live: Live, endpoint: LiveEndpoint, ask: Question): Draft[] {
  const { name, bound } = endpoint;
  const { list } = checks[ask.setting];
  const setting = settingOf(live, ask);
  const isUnused = bound.reach === 'any';
  const access = {
    kind: ask.kind,
    unsafeDebug: switchOf(endpoint)?.state ?? 'unproven',
    unlocked: unlockedAccounts(live).length > 0,
  } as const;
  const shown = {
    at: { endpoint: name },
    message: `${ask.kind}: ${ask.message}${impact(bound, isUnused)}.`,
    evidence: { interface: ask.kind, proven: true, bound: bound.reach },
  };
  if (live.nodeKind !== null && !isChecked(live.nodeKind, ask))
    return isUnused ? [] : [{ ...uncheckedDraft(ask), ...shown }];
  return [
    {
      subject: setting ?? `${ask.kind} ${list}`,
      severity: isUnused ? 'low' : accessSeverity(live, modulesOf(endpoint), access),
      fix: advise(
        `List ${setting === null ? '' : `in ${setting} `}only the ${list} that need access, and restart the node.`,
      ),
      ...shown,
    },
  ];
}

/** The subjects of findings about the list: its variable and its flag. */
function subjectsOf(live: Live, ask: Question): string[] {
  if (live.nodeKind !== null && !isChecked(live.nodeKind, ask))
    return [`${ask.kind} ${checks[ask.setting].list}`];
  const flag = live.nodeKind === null ? null : flagOf(live.nodeKind, ask);
  const names = [settingOf(live, ask), flag === null ? null : `--${flag}`];
  return [...new Set(names.filter((name) => name !== null))];
}

/** The variable or flag of the list, as in findings about settings; null for an unknown kind of node. */
function settingOf({ nodeKind: kind, settings }: Live, ask: Question): string | null {
  const flag = kind === null ? null : flagOf(kind, ask);
  if (kind === null || flag === null) return null;
  if (settings !== null) return settingName(settings, flag);
  const { launchers, usualLauncher } = kind;
  const carrying = launchers?.variablesByFlag(usualLauncher, launchers.packages[0] ?? '').get(flag);
  return carrying?.name ?? `--${flag}`;
}
