/** Shared by formats: findings by severity, and names of places, reach and access. */
import { groupBy } from '../../util/group-by.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import { callers, type Reach } from '../facts/reach.js';
import type {
  Finding,
  InterfaceReport,
  Place,
  RuleInfo,
  TargetReport,
  Targets,
  Undetermined,
} from '../facts/report.js';
import { compareSeverity, type Severity } from '../facts/severity.js';
import { line } from './escape.js';

export interface Listed {
  /** The target's name. */
  readonly target: string;
  readonly finding: Finding;
  /** What adds nothing to it. */
  readonly also?: readonly Finding[];
}

/** The open findings, each with those that it says: what says nothing new is no line of its own. */
export function saidTogether(findings: readonly Finding[]): readonly Required<Omit<Listed, 'target'>>[] {
  const open = findings.filter(({ suppressed }) => suppressed === null);
  const leads = new Map(open.flatMap((one) => (one.saidBy === undefined ? [[one.fingerprint, one]] : [])));
  const leadOf = ({ saidBy }: Finding) => (saidBy === undefined ? undefined : leads.get(saidBy));
  const also = groupBy(
    open.filter((one) => leadOf(one) !== undefined),
    leadOf,
  );
  return open.flatMap((finding) =>
    leadOf(finding) === undefined ? [{ finding, also: also.get(finding) ?? [] }] : [],
  );
}

/** At most `limit` findings that are not suppressed, most severe first, otherwise in the order of the report. */
export async function mostSevere(
  targets: Targets,
  limit: number,
  includes: (severity: Severity) => boolean = () => true,
): Promise<Listed[]> {
  let kept: Listed[] = [];
  for await (const { name, findings } of targets) {
    const open = findings.filter(({ suppressed, severity }) => suppressed === null && includes(severity));
    kept = [...kept, ...open.map((finding) => ({ target: name, finding }))]
      .sort((a, b) => compareSeverity(a.finding.severity, b.finding.severity))
      .slice(0, limit);
  }
  return kept;
}

/** The address of the rule's page; while the project has none, the command that prints the page. */
export function rulePage(rules: readonly RuleInfo[], rule: string): string {
  const page = rules.find(({ id }) => id === rule)?.page;
  return page !== undefined && /^https?:\/\//.test(page) ? page : `kaiactl node explain ${rule}`;
}

/** `kend.conf:27:16`, or the endpoint. */
export function placeName(at: Place): string {
  return 'endpoint' in at ? at.endpoint : `${at.file}:${at.line}:${at.column}`;
}

type Placeless = { readonly at?: Undetermined['at'] | undefined; readonly reason: string };

/** The reason of an open question without its place, for formats that show the place beside it. */
export function placelessReason({ at, reason }: Placeless): string {
  const place = at === undefined ? '' : `${visible(placeName(at))}: `;
  return reason.startsWith(place) ? reason.slice(place.length) : reason;
}

/** How many findings lack fixes that were not tried, and how to get them. */
export function leftOutNote(findings: number): string {
  return `fixes of ${count(findings, 'finding')} left out, as trying them all takes too long: --only RULE gets those of a rule`;
}

/** The file a target was read from, else its name. */
export function sourceName(target: TargetReport): string {
  return target.conf?.path ?? target.name;
}

/** A path as reviews take it, without `./` before it. */
export function pathOf(file: string): string {
  return line(file).replace(/^(?:\.\/)+/, '');
}

/** Suppressed critical findings: they do not fail, but their target is never called clean. */
export function acceptedCriticals({ findings }: TargetReport): Finding[] {
  return findings.filter(({ severity, suppressed }) => severity === 'critical' && suppressed !== null);
}

/** A line of a format of problems: a finding, a critical one that was accepted, or what was not seen. */
export interface Problem {
  readonly kind: Severity | 'accepted' | 'undetermined';
  readonly rule: string;
  readonly at: Place | undefined;
  readonly text: string;
  readonly finding?: Finding;
  readonly code?: Undetermined['code'];
}

/** Notes for accepted critical findings, so that no file looks clean, and a warning for each check that is undetermined. */
export function problemsOf({ findings, undetermined }: TargetReport): Problem[] {
  const found = findings.flatMap((finding): Problem[] => {
    const { rule, at, severity, message, fix, suppressed } = finding;
    if (suppressed === null) return [{ kind: severity, rule, at, text: `${message} Fix: ${fix}`, finding }];
    const text = `suppressed critical: ${message} Reason: ${suppressed.reason}`;
    return severity === 'critical' ? [{ kind: 'accepted', rule, at, text, finding }] : [];
  });
  const open = undetermined.map((one): Problem => {
    const { rule, at, code } = one;
    return { kind: 'undetermined', rule, at, code, text: `undetermined: ${placelessReason(one)}` };
  });
  return [...found, ...open];
}

/** A target's verdict in words: `fail, 1 critical suppressed`. */
export function standing(target: TargetReport): string {
  return [target.verdict, ...asides(target)].join(', ');
}

/** What the verdict counts besides the findings of the target: `2 findings with compose.yml: en-1`. */
export function asides(target: TargetReport): string[] {
  const accepted = acceptedCriticals(target).length;
  const elsewhere = groupBy(target.shared ?? [], (one) => one.target);
  return [
    ...(accepted === 0 ? [] : [`${accepted} critical suppressed`]),
    ...(accepted === 0 && target.verdict === 'suppressed' ? ['acknowledged'] : []),
    ...[...elsewhere].map(([name, all]) => `${count(all.length, 'finding')} with ${visible(name)}`),
  ];
}

/** Whether a simulated node answered. */
export function isSimulated({ interfaces }: TargetReport): boolean {
  return interfaces.some(({ simulated }) => simulated === true);
}

/** Whether the target was audited, not only linted. */
export function isLive(target: TargetReport): boolean {
  return target.interfaces.some(({ requests }) => requests !== undefined);
}

/** Whether the settings leave open that it is on, and no probe asked it. */
export function mayBeOff({ state, declared, requests }: InterfaceReport): boolean {
  return state === 'not-checked' && declared === undefined && requests === undefined;
}

/** The callers with a reach, as a label. */
export function reachName(reach: Reach): string {
  return callers[reach].replace(/^the /, '');
}

/** `this machine (socket) · any web page`: the addresses that reach it with the evidence, and the pages. */
export function reachedBy(one: InterfaceReport): string {
  return [addressesOf(one), ...pagesOf(one)].join(' · ');
}

/** `any web page (RPC_CORSDOMAIN)`, where pages reach more than addresses do. */
export function pagesOf({ reach, browsers, browsersBy }: InterfaceReport): string[] {
  if (browsers !== 'any page' || reach === 'any') return [];
  return [browsersBy === undefined ? 'any web page' : `any web page (${visible(browsersBy)})`];
}

function addressesOf({ reach, reachBy, reachVia, transport, containerOnly }: InterfaceReport): string {
  const relays = visible((reachVia ?? []).join(', '));
  if (reach === undefined) return relays === '' ? '–' : `relayed (${relays})`;
  const name = containerOnly === true ? 'its container' : reachName(reach);
  const by = transport === 'ipc' || reachBy === undefined ? [] : [reachBy];
  const how = [...by, ...(relays === '' ? [] : [`by ${relays}`])];
  return how.length === 0 ? name : `${name} (${how.join(', ')})`;
}

/** The port of an endpoint, without which it is a path or a default port. */
export function portOf(endpoint: string): string | null {
  return /:(\d+)(?:\/|$)/.exec(endpoint)?.[1] ?? null;
}

/** The callers that an interface admits: `any page, any Host`, `mode 0600`; or a dash. */
export function admittedBy(
  transport: InterfaceReport['transport'],
  access: InterfaceReport['access'],
  shown: (text: string) => string,
): string {
  const open = [
    access?.foreignOrigin === true ? (transport === 'ws' ? 'any Origin' : 'any page') : null,
    access?.foreignHost === true ? 'any Host' : null,
    typeof access?.fileMode === 'string' ? `mode ${shown(access.fileMode)}` : null,
    typeof access?.login === 'boolean' ? (access.login ? 'token' : 'no token') : null,
  ].filter((word) => word !== null);
  return open.join(', ') || '–';
}
