/** The types of what stands in sentences, each held against the files, the report and the tables of kinds. */
import { basename } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Finding, TargetReport, Undetermined } from '../../../src/node/facts/report.js';
import { kinds } from '../../../src/node/kinds/all.js';
import { variablesRead } from '../../../src/node/kinds/kaia/launchers.js';
import { otherOfName } from '../../../src/node/kinds/others.js';
import { releaseName } from '../../../src/node/kinds/release.js';
import type { Claim, Type, Words } from './grammar.js';

/** What a report was made of: the texts of files, by path. */
export type Files = ReadonlyMap<string, string>;

/** A sentence's own part of the report. */
export interface Said {
  readonly target: TargetReport;
  readonly finding?: Finding;
  readonly question?: Undetermined;
}

/** Each kind at its newest and its oldest release. */
const everyKind = kinds.flatMap((kind) => [kind, kind.at(kind.releases[0]?.id ?? '')]);
const releases = kinds.flatMap((kind) => kind.releases.map(({ id }) => releaseName(id)));
const launchers = kinds.flatMap((kind) => [...kind.programs, ...(kind.launchers?.names ?? [])]);
const variables = new Set([
  ...variablesRead().map(({ name }) => name),
  ...everyKind.flatMap(({ programs, flags }) =>
    programs.flatMap((program) => flags.of(program).flags.flatMap(({ environment }) => environment)),
  ),
]);
const interfaces = ['http', 'ws', 'ipc', 'grpc', 'metrics', 'engine', 'graphql', 'https', 'socket', 'beacon'];
const plain = (text: string) => text.replace(/\s+/g, ' ');
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The items of a list in a sentence: `a, b and c`. */
const itemsOf = (text: string) => text.split(/, | and /);
const allOf = (text: string, isOne: Type) => itemsOf(text).every(isOne);
const textOf = (words: Words, type: string) => words.find(([name]) => name === type)?.[1] ?? '';

/** The types and claims for the sentences about one folder. */
export function factsOf(files: Files) {
  const whole = plain([...files.values(), ...files.keys()].join('\n'));
  const errors = new Set<string>();
  for (const [path, text] of files) {
    if (!/\.ya?ml$/.test(path)) continue;
    for (const { errors: found } of parseAllDocuments(text, { prettyErrors: false }))
      for (const { message } of found) errors.add(message);
  }

  /** Where a text has these words, of which `…` and a mask stand for others; -1 if it has not. */
  function indexOf(text: string, words: string): number {
    if (!/…|\*{4}/.test(words)) return text.indexOf(words);
    const pattern = words.split(/\s*…\s*|\*{4,}/).map(escaped);
    return pattern.some((one) => one.length > 2) ? text.search(new RegExp(pattern.join('.+'))) : -1;
  }
  const holds = (text: string, words: string) => indexOf(text, words) !== -1;
  const stands: Type = (words) => /^\S$|^\S.*\S$/.test(words) && holds(whole, plain(words));
  /** A flag, a variable or a key stands alone. */
  const standsAlone = (name: string) => new RegExp(`(?<![\\w.-])${escaped(name)}(?![\\w-])`).test(whole);

  const isFlag: Type = (flag) => {
    const name = /^--?([\w.-]*\w)$/.exec(flag)?.[1];
    return (
      name !== undefined && (standsAlone(flag) || kinds.some((kind) => kind.flags.period(name) !== null))
    );
  };
  const variable: Type = (name) =>
    /^[A-Z][A-Z0-9_]+$/.test(name) && (standsAlone(name) || hasPrefix(name) || variables.has(name));
  const key: Type = (name) =>
    /^[\w.-]+$/.test(name) && name.split('.').every((part) => new RegExp(`\\b${part}\\b`).test(whole));
  const isFile: Type = (path) => files.has(path) || [...files.keys()].some((one) => basename(one) === path);
  const path: Type = (text) =>
    /^[^\s,:]+$/.test(text) &&
    (stands(text) || isInstalled(text) || text.split('/').every((part) => part === '' || stands(part)));
  const missing: Type = (text) =>
    path(text) && ![...files.keys()].some((one) => `/${one}`.endsWith(`/${text.replace(/^(?:\.?\/)+/, '')}`));
  const lineOf = (place: string) => {
    const [, file = '', line = ''] = /^(.*?):(\d+)(?::\d+)?$/.exec(place) ?? [];
    return (
      files
        .get(file)
        ?.split('\n')
        .slice(Math.max(0, Number(line) - 1)) ?? []
    );
  };
  /** Whether words begin on the line of a place. */
  const lineHas = (at: string, words = '') => {
    const [first = '', ...others] = lineOf(at);
    const index = indexOf(plain([first, ...others].join('\n')), plain(words));
    return index !== -1 && index < plain(first).length;
  };
  const place: Type = (text) => /^\S+:\d+(:\d+)?$/.test(text) && lineOf(text).length > 0;

  return (said: Said): { types: Record<string, Type>; claims: Record<string, Claim> } => {
    const { target, finding, question } = said;
    const kind = kinds.find(({ id }) => id === target.kind);
    const own = JSON.stringify({
      ...finding,
      fix: null,
      alternatives: finding?.alternatives?.map(({ edits }) => edits),
    });
    const lines = Math.max(...[...files.values()].map((text) => text.split('\n').length));
    const isModule: Type = (name) =>
      everyKind.some(({ modules }) => modules.listed(name) !== null) || standsAlone(name);
    const setting: Type = (text) => isFlag(text) || variable(text) || key(text);
    const isInterface: Type = (name) => interfaces.includes(name);
    const port: Type = (text) =>
      text === '?' || (/^\d+$/.test(text) && (standsAlone(text) || JSON.stringify(target).includes(text)));
    const flag: Type = isFlag;
    const range: Type = (text) => {
      const [, since = '', until = ''] = /^(\w+ \S+) to (\S+(?: \S+)?)$/.exec(text) ?? [];
      const [from, to] = [since, until.includes(' ') ? until : `${since.split(' ')[0]} ${until}`].map((one) =>
        releases.indexOf(one),
      );
      return from !== -1 && to !== undefined && from !== undefined && from < to;
    };
    const types: Record<string, Type> = {
      address: (text) => stands(text) || text === '0.0.0.0' || text === '127.0.0.1',
      amount: (text) => /^\w+$/.test(text) && (holds(own, text) || isFallback(text)),
      client: (text) => stands(text) || otherOfName(text) !== null || stands(text.split(' ')[0] ?? ''),
      count: (text) => /^[1-9]\d*$/.test(text),
      cut: (text) => text === '…',
      file: isFile,
      flag,
      flags: (text) => /^-/.test(text) && text.split(' ').every((word) => stands(word)),
      header: (text) => text === 'Host name' || text === 'Origin',
      hosts: (text) =>
        allOf(
          text,
          (name) =>
            stands(name) ||
            name
              .replace(/\.svc(\.cluster\.local)?$/, '')
              .split('.')
              .every(stands),
        ),
      image: stands,
      interface: isInterface,
      'known-range': range,
      launchers: (text) => allOf(text.replace(/ and \d+ more$/, ''), (name) => launchers.includes(name)),
      line: (text) => Number(text) >= 1 && Number(text) <= lines,
      method: (text) => /^[a-z]+[._]\w+$/.test(text) && (stands(text) || stands(text.replace('_', '.'))),
      missing,
      'module-list': (text) => text.split(',').every(stands),
      modules: (text) => allOf(text, (name) => isModule(name) && kind?.modules.isPrivileged(name) !== true),
      object: (text) => /^[A-Z]\w+ \S+$/.test(text) && text.split(' ').every((word) => stands(word)),
      path,
      place,
      port,
      privileged: (text) => kind?.modules.isPrivileged(text) === true,
      program: (text) => launchers.includes(text) || stands(text),
      published: (text) => /^127\.0\.0\.1:\S+:\d+$/.test(text) && port(text.replace(/^.*:/, '')),
      range,
      relaying: (text) => stands(text) || (text === 'varnish' && /\bbackend \w+ \{/.test(whole)),
      release: (text) => releases.includes(text),
      resource: (text) => stands(text) || text.replace('release-name-', '').split('-').every(stands),
      setting,
      subject: (text) => text === `unjudged-node(${question?.subject})`,
      url: (text) => /^https?:/.test(text) && stands(text),
      value: stands,
      variable,
      'yaml-error': (text) => errors.has(text),
    };
    const claims: Record<string, Claim> = {
      called: (words) => {
        const calls = whole.match(/\b(?:admin|personal|debug|miner)[._]\w+/g) ?? [];
        return (
          calls.length > Number(textOf(words, 'count')) &&
          lineHas(textOf(words, 'place'), textOf(words, 'method').split('_').at(-1))
        );
      },
      'carriage-returns': () => [...files.values()].some((text) => text.includes('\r\n')),
      'en-dash': (words) => textOf(words, 'value').startsWith('\u2013'),
      exported: (words) =>
        new RegExp(`(?:export -f|declare -fx|typeset -fx) .*${escaped(textOf(words, 'value'))}`).test(whole),
      included: (words) => lineHas(textOf(words, 'place'), `include ${textOf(words, 'path')}`),
      'line-has': (words) =>
        [...files.values()].some((text) =>
          text.split('\n')[Number(textOf(words, 'line')) - 1]?.includes(basename(textOf(words, 'path'))),
        ),
      'no-object': (words) => ![...files.values()].some((text) => isDefined(text, textOf(words, 'value'))),
      'no-router': () => /traefik\.enable["']?[=:] ?["']?true/.test(whole),
      quoted: (words) => lineHas(textOf(words, 'place'), textOf(words, 'value')),
      // A block of Terraform has the name on the line above its value.
      set: (words) => {
        const [at, name] = [textOf(words, 'place'), textOf(words, 'value')];
        return (
          lineHas(at, name) ||
          lineHas(
            at.replace(/\d+$/, (line) => `${Number(line) - 1}`),
            name,
          )
        );
      },
      unknown: (words) => {
        const name = textOf(words, 'value');
        const isNamed = variables.has(name) || kind?.flags.period(name.replace(/^-+/, '')) != null;
        return !isNamed && !kinds.some(({ modules }) => modules.listed(name) !== null);
      },
    };
    return { types, claims };
  };
}

/** Whether a text has an object of this name. */
const isDefined = (text: string, name: string) =>
  new RegExp(`^kind: (?:ConfigMap|Secret)$(?:(?!^---)[^])*^  name: ${escaped(name)}$`, 'm').test(text);
/** Whether some flag has this value where nothing sets it. */
const isFallback = (text: string) =>
  kinds.some(({ programs, flags }) =>
    programs.some((one) =>
      flags.of(one).flags.some(({ fallback }) => fallback === text || fallback === `${text}s`),
    ),
  );
const hasPrefix = (name: string) =>
  kinds.some(({ flags: { variablePrefix } }) => variablePrefix !== null && name.startsWith(variablePrefix));
const isInstalled = (path: string) =>
  kinds.some(({ signs }) => signs.entrypoint?.words.includes(path)) ||
  launchers.some((name) => path.endsWith(`/conf/${name}.conf`));
