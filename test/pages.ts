/** The pages of docs/ that are generated from the program. */
import { readFileSync } from 'node:fs';
import { exit } from '../src/errors.js';
import { releasesByName, unseenKinds } from '../src/node/commands/explain.js';
import { exampleText } from '../src/node/commands/rule-example.js';
import { openQuestions } from '../src/node/commands/rule-named.js';
import { bySeverityAndReach, type Held, type Reach } from '../src/node/facts/severity.js';
import type { Example } from '../src/node/judge/rule/rule.js';
import { erigon } from '../src/node/kinds/erigon/index.js';
import { bscFlavour, type Flavour, opFlavour } from '../src/node/kinds/geth/flavours.js';
import { geth } from '../src/node/kinds/geth/index.js';
import { moduleImpact } from '../src/node/kinds/impact.js';
import { kinds } from '../src/node/kinds/index.js';
import { kaia } from '../src/node/kinds/kaia/index.js';
import type { Kind } from '../src/node/kinds/kind.js';
import { anyRelease, rangeName, releaseName } from '../src/node/kinds/release.js';
import { opReth, reth } from '../src/node/kinds/reth/index.js';
import { formats } from '../src/node/report/index.js';
import { rules } from '../src/node/rules/index.js';
import { groupBy } from '../src/util/group-by.js';
import { run } from './cli/run.js';
import { livePages } from './live-pages.js';
import { exampleFacts } from './node/editables.js';
import { judgeTarget } from './node/pipeline.js';
import { draw, recordLint } from './recording.js';

const root = new URL('..', import.meta.url).pathname;

/** Path in the repository → generator. */
export const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/rules.md': rulesPage,
  ...rulePages(),
  'docs/options.md': optionsPage,
  'docs/exit-codes.md': exitCodesPage,
  'docs/formats.md': formatsPage,
  'docs/releases.md': releasesPage,
  'docs/impacts.md': impactsPage,
  'docs/lint.svg': async () => draw(await recordLint()),
  ...livePages,
};

const made = '<!-- Made from the program by npm run docs. -->';

/** Title, then paragraphs. */
function page(title: string, ...parts: readonly string[]): string {
  return `${[`# ${title}`, made, ...parts].join('\n\n')}\n`;
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** Prose of a rule, with Markdown escaped except code spans and links. */
function prose(text: string): string {
  return text.replace(/[<*_|]/g, '\\$&');
}

/** The index of the rules. */
function rulesPage(): string {
  const row = (id: string, most: string, title: string) =>
    `| [\`${id}\`](rules/${id}.md) | ${most} | ${prose(title)} |`;
  const index = rules.map(({ id, severity, title }) => row(id, severity, title));
  const open = Object.entries(openQuestions).map(([id, { title }]) => row(id, 'undetermined', title));
  const intro =
    'The severity depends on reach: lower for an interface that only this machine or a private network reaches. ' +
    `\`kaiactl node explain <rule>\` shows the same in a terminal. ${unseenKinds()}`.trimEnd();
  return page('Rules', intro, ['| rule | at most | |', '|---|---|---|', ...index, ...open].join('\n'));
}

/** A page for each rule, and for each open question. */
function rulePages(): Record<string, () => string> {
  const all = rules.map((rule) => [rule.id, () => rulePage(rule)] as const);
  const open = Object.entries(openQuestions).map(([id, { title, why, fix }]) => {
    return [id, () => page(id, `**${title}**`, prose(why), `**Fix.** ${prose(fix)}`)] as const;
  });
  return Object.fromEntries([...all, ...open].map(([id, make]) => [`docs/rules/${id}.md`, make]));
}

function rulePage(rule: (typeof rules)[number]): string {
  const { id, severity, title, why, fix, ignore, sources, names = [], examples, perModule } = rule;
  return page(
    id,
    `**${prose(title)}** At most ${severity}. All rules: [rules](../rules.md).`,
    prose(why),
    `**Fix.** ${prose(fix)}`,
    ...releasesByName(names).map((text) => `**Release.** ${text.replace(/\S+/, '`$&`')}`),
    `Bad:\n\n${shown(examples.bad)}`,
    ...('facts' in examples.bad ? [] : [`Message: ${said(id, examples.bad)}`]),
    `Good:\n\n${shown(examples.good)}`,
    `**When to ignore.** ${prose(ignore)}${suppression(ignore, `${id}${perModule ? '(<module>)' : ''}`)}`,
    `**Sources.** ${sources.map(cited).join(', ')}`,
  );
}

function suppression(ignore: string, rule: string): string {
  return ignore.startsWith('Never') ? '' : ` Then write \`# kaiactl-ignore ${rule} reason="…"\`.`;
}

/** A link to a source, with the end of its address as its name. */
function cited(source: string): string {
  const name = source.replace(
    /^https:\/\/github\.com\/(?:kaiachain\/kaia|ethereum\/go-ethereum)\/blob\/v[\d.]+\//,
    '',
  );
  return `[${name.replace(/^https:\/\/|#.*/g, '')}](${source.replace(/^docs\//, '../')})`;
}

function shown(example: Example): string {
  return fenced('facts' in example ? 'text' : 'sh', exampleText(example));
}

function said(id: string, example: Example): string {
  const { findings } = judgeTarget(exampleFacts(example), { failOn: 'high' });
  const finding = findings.find(({ rule }) => rule === id);
  return finding === undefined ? 'nothing without a policy.' : prose(finding.message);
}

/** What a module lets its callers do, by kind and release, and how bad that is for the callers who reach it. */
function impactsPage(): string {
  const heads = ['module', 'callers can', 'any address', 'private network', 'this machine', 'with a token'];
  const sections = kinds.flatMap((kind) => {
    const names = new Set(kind.releases.flatMap(({ id }) => Object.keys(kind.at(id).modules.catalogue)));
    const rows = [...names].sort().flatMap((name) => impactRows(kind, name));
    return [
      `## ${kind.id}`,
      [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n'),
    ];
  });
  return page(
    'Impacts',
    'What a caller can do by a module, and the severity of offering it to callers who get there from any address, from a private ' +
      'network, from this machine alone, or from any address with a token. Rules and the matrices of HTML and Markdown take it from ' +
      'here. debug of Kaia is medium with --rpc.unsafe-debug.disable. A web page that an access list lets in counts as any address. Where only a check that the kind of node does not have ' +
      'would keep pages out, they add at most medium. In each kind, a release without a row of its own has no such module.',
    ...sections,
  );
}

/** A row for each form of a module that the releases have. */
function impactRows(kind: Kind, name: string): string[][] {
  const interfaces =
    kind.interfaces.flags.grpc.enable === null ? (['http'] as const) : (['http', 'grpc'] as const);
  return interfaces.flatMap((on) => {
    const forms = kind.releases.flatMap(({ id }) => {
      const nodeKind = kind.at(id);
      const has = Object.hasOwn(nodeKind.modules.catalogue, name);
      const isPart = on === 'http' || nodeKind.modules.publicParts?.[name] !== undefined;
      return has && isPart ? [{ id, ...moduleImpact({ nodeKind, launcher: null }, name, { kind: on }) }] : [];
    });
    const alike = groupBy(forms, ({ severity, does }) => `${severity} ${does}`);
    return [...alike.values()].map((all) => {
      const [first, last] = [all[0], all.at(-1)] as [(typeof all)[0], (typeof all)[0]];
      const isAlways = all.length === kind.releases.length;
      const when = isAlways ? '' : `, ${rangeName({ since: first.id, until: last.id })}`;
      const by = (reach: Reach, held?: Held) => bySeverityAndReach(first.severity, reach, held);
      const known = [by('any'), by('private'), by('loopback'), by('any', { login: 'token' })];
      return [`\`${name}\`${on === 'grpc' ? ' over gRPC' : ''}${when}`, prose(first.does), ...known];
    });
  });
}

/** What each release has that the one before has not, as far as settings are read from it. */
function releasesPage(): string {
  return page(
    'Releases',
    'kaiactl judges a node by its release, which ' +
      'it takes from the first of these that tells it: `--node-version` (also in an inventory and in `kaiactl.ini`), the build ' +
      'information of the running program, `web3_clientVersion`, the tag of the image, the name of the package or its folder, ' +
      'the address of a download, a tag that a script checks out, the launcher’s script beside the conf in a folder. ' +
      'If none tells it, the node is judged for every release that starts with its settings; a finding that does not hold in ' +
      'all of them names the releases. A tag such as `latest` or `stable` tells none; `release-1.9` tells the releases of that series.',
    '## Kaia',
    releasesOf(kaia, { flags: 'flags', modules: 'modules', variables: 'conf variables' }, namesOf),
    '## geth',
    releasesOf(
      geth,
      { flags: 'flags', modules: 'modules', fields: 'fields of `--config`', does: 'behaviour' },
      gethNames,
    ),
    'A fork is judged as the release of geth that it is based on; `--format json` and the first line of the text name it. bsc and ' +
      'op-geth are known by these releases; one between two of them is judged as both:',
    basesOf(bscFlavour, opFlavour),
    'Of the images of l2geth, celo-blockchain, quorum and bnb-chain’s op-geth, only the base is known. It is a guess, and the report ' +
      'says so: “judged as geth v1.9.10, from which l2geth descends”. A flag that the base lacks may be one of the fork. ' +
      'l2geth reads variables such as `RPC_ENABLE`, `RPC_API` and `WS` for its flags: they count in its images.',
    '## erigon',
    releasesOf(erigon, { flags: 'flags of erigon', modules: 'modules' }, erigonNames),
    'Each of them is a series: v3.0.4 is judged as v3.0, and one between two series as both. What is known of them is read from the ' +
      'source, the documentation and `--help`, not seen running: a flag whose first release is not known counts for all. The flags of ' +
      'rpcdaemon are those of one version. op-erigon is judged by erigon’s numbers, bsc-erigon and cdk-erigon as every release: a ' +
      'fork’s flags may differ.',
    '## reth and op-reth',
    releasesOf(reth, { flags: 'flags of reth', modules: 'modules' }, rethNames),
    `What is known of them is read from the source, not seen running. op-reth is known from ${releaseName(opReth.releases[0]?.id ?? '')} to ` +
      `${releaseName(opReth.release.id)}, the last release in the repository of reth: it has the flags and modules of the reth of the ` +
      'same number, and flags of its own. A newer one is judged as the last that is known. A fork, such as bera-reth, is judged as every ' +
      'release of reth: its flags, defaults and modules may differ.',
  );
}

/** Names by what they name, under the headings of a table. */
type Names<K extends string> = Readonly<Record<K, ReadonlySet<string>>>;

/** The table of a kind: what each release adds and removes. */
function releasesOf<K extends string>(
  kind: Kind,
  columns: Readonly<Record<K, string>>,
  names: (kind: Kind) => Names<K>,
): string {
  const keys = Object.keys(columns) as K[];
  const rows = kind.releases.slice(1).flatMap(({ id }, at) => {
    const [before, now] = [names(kind.at(kind.releases[at]?.id ?? id)), names(kind.at(id))];
    const cells = keys.map((what) =>
      [...changed(before[what], now[what], '+'), ...changed(now[what], before[what], '−')].join(' '),
    );
    return cells.every((cell) => cell === '') ? [] : [`| ${releaseName(id)} | ${cells.join(' | ')} |`];
  });
  const first = kind.releases[0]?.id ?? '';
  const counts = keys.flatMap((what) => {
    const { size } = names(kind.at(first))[what];
    return size === 0 || what === 'does' ? [] : [`${size} ${columns[what]}`];
  });
  return [
    `kaiactl knows ${rangeName(anyRelease(kind))}. ${releaseName(first)} has ${counts.join(', ')}. Changes since; a release that is not listed changes nothing here:`,
    '',
    ['| release', ...keys.map((what) => columns[what]), ''].join(' | ').trim(),
    `|${'---|'.repeat(keys.length + 1)}`,
    ...rows,
  ].join('\n');
}

function namesOf({ programs, flags, modules, launchers }: Kind) {
  return {
    flags: new Set(programs.flatMap((program) => [...flags.of(program).byName.keys()])),
    modules: new Set(
      [...Object.keys(modules.catalogue), 'klay'].filter((name) => modules.listed(name) !== null),
    ),
    variables: new Set((launchers?.names ?? []).flatMap((one) => launchers?.readBy(one, null) ?? [])),
  };
}

/** Of geth also what a release does with the same words. */
function gethNames(kind: Kind) {
  const { flags, modules, configFile, interfaces } = kind;
  const set = flags.of('geth');
  const fields = configFile?.format === 'toml' && set.byName.has('config') ? [...configFile.keys.keys()] : [];
  const offered = modules.offered(modules.existing('geth', set.defaults), ['']) ?? [];
  const list = offered.includes('admin') ? 'every module' : offered.length > 1 ? 'public services' : 'rpc';
  const does = [
    `an empty list offers ${list}`,
    ...(set.byEnvironment.size > 0 ? ['reads variables'] : []),
    ...(flags.unlock === null ? [] : ['unlocks accounts']),
    ...(interfaces.flags.graphql.port === null ? [] : ['a port for GraphQL']),
    ...(set.byName.has('authrpc.port') ? [`${interfaces.tokenless?.join(' or ')} without a token`] : []),
  ];
  const names = [...set.byName.keys()].filter((name) => !name.includes('Node.'));
  return {
    flags: new Set(names),
    modules: new Set(Object.keys(modules.catalogue)),
    fields: new Set(fields),
    does: new Set(does),
  };
}

function erigonNames({ flags, modules: { catalogue } }: Kind) {
  return {
    flags: new Set(flags.of('erigon').byName.keys()),
    modules: new Set(Object.keys(catalogue)),
  };
}

function rethNames({ id, flags, modules: { catalogue } }: Kind) {
  return {
    flags: new Set(flags.of(id).byName.keys()),
    modules: new Set(Object.keys(catalogue)),
  };
}

function basesOf(...forks: readonly Flavour[]): string {
  const rows = forks.flatMap(({ releases }) =>
    releases.all.map(({ id, base }) => `| ${releaseName(id)} | ${base} |`),
  );
  return ['| release | geth |', '|---|---|', ...rows].join('\n');
}

/** Of many names, how many: the second names all came at once. */
function changed(before: ReadonlySet<string>, now: ReadonlySet<string>, sign: string): string[] {
  const names = [...now].filter((name) => !before.has(name));
  return names.length > 60 ? [`${sign}${names.length} names`] : names.map((name) => `${sign}\`${name}\``);
}

async function help(...words: string[]): Promise<string> {
  return (await run([...words, '--help'])).out;
}

/** The words that a help text lists under Commands. */
function commands(text: string): string[] {
  const [, list = ''] = /\nCommands:\n([\s\S]*?)(?:\n\n|$)/.exec(text) ?? [];
  return [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

async function optionsPage(): Promise<string> {
  const sections: string[] = [];
  const add = async (...words: string[]) => {
    const text = await help(...words);
    const below = commands(text);
    if (below.length === 0) sections.push(`## kaiactl ${words.join(' ')}`, fenced('text', text));
    for (const word of below) await add(...words, word);
  };
  await add();
  const intro =
    'The environment and a settings file can set every option: `--fail-on` is `KAIACTL_FAIL_ON` in the environment and ' +
    '`fail-on` in the file. The command line overrides the environment, and the environment overrides the file. See ' +
    '[options, environment, profiles](options-and-profiles.md).';
  return page('Options of every command', intro, ...sections);
}

const codes: Readonly<Record<keyof typeof exit, readonly [node: string, survey: string]>> = {
  ok: ['everything was seen; no finding at or above `--fail-on`', 'done'],
  failed: [
    'findings at or above `--fail-on` (default `high`)',
    'the answer is no: not a member, a refused join, a member list that the API refuses (3 with `--contains`), an invalid answer (`results --verify`), an unusable backup (`backup --verify`)',
  ],
  usage: [
    'invalid command line, input file, policy or baseline; nothing to look at, such as a machine without a judged node',
    'invalid command line, address, commitment, price or key',
  ],
  unseen: [
    'no such finding, but something could not be seen (0 with `--allow-blind`)',
    'the API could not be reached or broke its protocol',
  ],
  pending: ['–', 'accepted, but not listed before `--timeout`: poll again, do not submit again'],
  defect: ['a defect of kaiactl', 'a defect of kaiactl'],
  interrupted: ['interrupted', 'interrupted'],
};

function exitCodesPage(): string {
  const rows = Object.entries(codes).map(
    ([name, [node, survey]]) => `| ${exit[name as keyof typeof exit]} | ${node} | ${survey} |`,
  );
  return page(
    'Exit codes',
    ['| code | `kaiactl node …` | `kaiactl survey …` |', '|---|---|---|', ...rows].join('\n'),
    'If several codes apply to `node`, the first of 70, 2, 1, 3, 0 is used. The output format does not change the code. ' +
      '`--exit-zero` replaces 1 and 3 by 0.',
  );
}

/** The purpose of a format: the first comment of its file. */
function about(format: string): string {
  const [, comment = ''] =
    /^\/\*\*(.*?)\*\//s.exec(readFileSync(`${root}src/node/report/${format}.ts`, 'utf8')) ?? [];
  return comment.replace(/\n \* ?/g, ' ').trim();
}

/** Formats whose first lines say little, or are shown elsewhere. */
const withoutSample = ['text', 'json', 'sarif', 'markdown', 'html'];

async function formatsPage(): Promise<string> {
  const sections: string[] = [];
  for (const name of Object.keys(formats)) {
    const { out } = await run(['node', 'lint', 'fixtures/demo/kend.conf', '--format', name], { cwd: root });
    const lines = out.split('\n');
    const sample = lines.slice(0, 12).map((line) => (line.length > 160 ? `${line.slice(0, 159)}…` : line));
    sections.push(`## ${name}`, about(name));
    if (!withoutSample.includes(name)) sections.push(fenced('text', sample.join('\n')));
  }
  const intro =
    '`--format` selects the format of stdout. `--report sarif=lint.sarif --report html=lint.html` also writes files in the same ' +
    'run. `kaiactl report convert` converts a saved report, JSON or ndjson, to any format.';
  return page('Formats', intro, ...sections);
}
