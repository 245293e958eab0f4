/** Commands such as sudo that run another command. */
import { pairs } from '../../../util/pairs.js';
import { otherVariables } from '../../facts/settings.js';
import type { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { pairOf, splitWords } from '../text/words.js';
import type { Given } from './environment-runners.js';
import { baseName } from './paths.js';

/** By name, the options that take a value. */
const wrappers = new Map(
  pairs(`
    catchsegv= chpst=-[uUbemdofpcrt/n] chrt= command= daemon= doas=-[uC] dumb-init=-r env=-[i0v]*[uSC] exec=-a flock=-[wE] gosu=
    ionice=-[cnp] nice=-n|--adjustment nohup= npx=-p|--package
    numactl=-[CNimp]|--(?:interleave|membind|cpunodebind|physcpubind|preferred)
    runuser=-[ugGsw]|--(?:user|group|supp-group|shell) s6-setuidgid= screen=-[A-Za-z]*[Sctp] setpriv= setsid= stdbuf=-[ioe]
    su-exec= sudo=-[ugCDhpRrTt] systemd-run=-[pEuMHt]|--(?:unit|property|setenv|description|slice) taskset= time=-[fo]
    timeout=-[ks] tini=-[p] xargs=-[adEILnPs]
  `).map(([name, options]) => [name, new RegExp(`^(?:${options})$`)]),
);
/** Wrappers with an argument of their own before the command. */
const ownWord = new Set(['gosu', 'su-exec', 's6-setuidgid', 'timeout', 'chrt', 'taskset', 'flock']);

export function isWrapper(name: string): boolean {
  return wrappers.has(name);
}

/** The command that sudo and other wrappers run. */
export function withoutWrappers(words: readonly Placed[]): readonly Placed[] {
  const name = baseName(words[0]?.text ?? '');
  return wrappers.has(name) ? withoutWrappers(unwrap(name, words.slice(1), [])) : words;
}

/** The command behind the options of a wrapper; collects the variables that it sets. */
export function unwrap(name: string, words: readonly Placed[], given: Given[]): readonly Placed[] {
  let at = 0;
  let own = ownWord.has(name) ? 1 : 0;
  for (; at < words.length; at++) {
    const { text } = words[at] as Placed;
    if (text === '--') return words.slice(at + 1);
    const set = name === 'env' || name === 'sudo' ? /^([A-Za-z_]\w*)=/.exec(text) : null;
    if (set !== null) {
      given.push({ name: set[1] as string, value: (words[at] as Placed).slice(set[0].length) });
    } else if (text.startsWith('-')) {
      if (name === 'env') given.push(...takenAway(words[at] as Placed, words[at + 1]));
      if (name === 'systemd-run') given.push(...setByUnit(words.slice(at)));
      // The value of the option holds variables: of env as a text, of chpst in a folder.
      if ((name === 'env' && /^(?:-S|--split-string)/.test(text)) || (name === 'chpst' && text === '-e'))
        given.push(others(name, words[at] as Placed));
      if (wrappers.get(name)?.test(text) === true) at += 1;
    } else if (name === 'env' && text.startsWith(unfilled)) {
      given.push(others(name, (words[at] as Placed).as('$(…)')));
    } else if (own > 0) own -= 1;
    else break;
  }
  return words.slice(at);
}

/** The variables that a word of a command may set. */
function others(name: string, word: Placed): Given {
  return { name: otherVariables, value: word.as(`${name} ${word.text.replaceAll(unfilled, '…')}`) };
}

/** The variables that the first of these words of env takes away: -u NAME, --unset=NAME; all of them: -i and -. */
function takenAway(word: Placed, next: Placed | undefined): Given[] {
  const { text } = word;
  const [, option = '', own = ''] = /^(-[i0v]*u|--unset=)(.*)$/s.exec(text) ?? [];
  const isAll = /^(?:-|-[0v]*i[0v]*|--ignore-environment)$/.test(text) || /^-\w*i/.test(option);
  const names = [...(isAll ? [otherVariables] : []), ...(option === '' ? [] : [own || (next?.text ?? '')])];
  return names.map((name) => ({ name, value: word, isGone: true }));
}

/** The variables of `--setenv=NAME=VALUE` and `--property=Environment=NAME=VALUE`, the first of these words. */
function setByUnit([word, next]: readonly Placed[]): Given[] {
  const [option = ''] = /^(?:--(?:setenv|property)(?:=|$)|-[Ep])/.exec(word?.text ?? '') ?? [];
  const value = word?.text === option && !option.endsWith('=') ? next : word?.slice(option.length);
  if (option === '' || word === undefined || value === undefined) return [];
  const [key, set] = pairOf(value);
  const assigned = /setenv|E/.test(option)
    ? [value]
    : key === 'Environment' && set !== null
      ? splitWords(set)
      : [];
  if (key === 'EnvironmentFile' && set !== null)
    return [{ ...others('systemd-run …', value), file: set.text.startsWith('-') ? set.slice(1) : set }];
  return assigned.map(pairOf).flatMap(([name, text]) => (text === null ? [] : [{ name, value: text }]));
}

/** The command of `start-stop-daemon --start --exec PROGRAM -- WORDS`. */
export function daemonOf(words: readonly Placed[]): readonly Placed[] {
  const at = words.findIndex(({ text }) => /^(?:-x|--exec|-a|--startas)$/.test(text));
  const end = words.findIndex(({ text }) => text === '--');
  const program = at < 0 ? undefined : words[at + 1];
  return program === undefined ? [] : [program, ...(end < 0 ? [] : words.slice(end + 1))];
}
