/** Services that a file switches on by their names: units of systemd, init scripts, and modules of NixOS. */
import { blockAt, valueAt } from '../blocks.js';
import { isOther, startOf } from '../names.js';
import type { Vocabulary } from '../vocabulary.js';
import { startSign } from './other-start.js';
import { matchesIn, type Sign, signAt } from './sign.js';

const gap = `[\\s,"']+`;
/** The names of units behind a command that starts them, as a text or as a list of words. */
const commanded = new RegExp(
  `\\bsystemctl${gap}(?:--?[\\w=-]+${gap})*(?:re)?(?:start|enable)${gap}(?:--?[\\w=-]+${gap})*([\\w@.][^\\n;|&#>)\\]}]*)|` +
    `(?:\\b(?:rc-)?service${gap}|/etc/init\\.d/)([\\w@.-]+)${gap}(?:re)?start\\b`,
  'g',
);
/** A task of Ansible, whose value says the rest. */
const task = /(?<![\w-])(?:systemd|systemd_service|service|sysvinit|openrc)["']?:/g;
/** An option of NixOS. */
const option =
  /(?:(?<![\w-])(?:services\.(?:ethereum\.)?|ethereum\.)|^[ \t]*|[{;][ \t]*)"?((?!services\b|ethereum\b)[a-z][\w-]*)"?(?=[ \t]*=[ \t]*\{|\.[\w"])/gm;
/** Characters of an option that are searched for its switch, and above it for the options it is in. */
const [maxOption, maxAbove] = [2_000, 4_000];

/** The services in the order of their places; one whose unit is among the files has it as its `tail`. */
export function serviceSigns({ words }: Vocabulary, path: string, text: string): Sign[] {
  const kinds = words().map(({ kind }) => kind);
  const signOf = (name: string, start: number, tail: string | null): Sign[] => {
    const stem = name.replace(/\.service$/, '').replace(/@.*$/, '');
    const named = isOther(stem) ? null : startOf(kinds, stem);
    if (named === null) return [];
    const within = blockAt(text, start);
    const known = signAt('script', start, name, { within, words: [null] });
    const sign = tail === null ? { ...known, type: 'program' as const } : { ...known, tail };
    return startSign(text, sign, named.starts, within);
  };
  const unit = (name: string, start: number) =>
    signOf(name, start, `${name.replace(/\.service$/, '').replace(/@.*$/, '@')}.service`);
  const commands = [...matchesIn(text, commanded)].flatMap(({ 0: all, 1: listed, 2: one = '', index }) => {
    const from = index + (listed === undefined ? all.lastIndexOf(one) : all.length - listed.length);
    return [...(listed ?? one).matchAll(/[\w@.-]+/g)].flatMap(({ 0: name, index: at }) =>
      unit(name, from + at),
    );
  });
  const tasks = [...matchesIn(text, task)].flatMap(({ 0: key, index }) => {
    const value = valueAt(text, index + key.length);
    const name = /\bname["']?[:=][ \t]*["']?([\w@.-]+)/.exec(value);
    const isStarted = /\bstate["']?[:=][ \t]*["']?(?:re)?started/.test(value);
    return isStarted && name !== null ? unit(name[1] ?? '', index + key.length + name.index) : [];
  });
  const units = [...commands, ...tasks];
  if (!path.endsWith('.nix') || !text.includes('services')) return units;
  const options = [...matchesIn(text, option)].flatMap(({ 0: all, 1: name = '', index }) => {
    const above = text.slice(Math.max(0, index - maxAbove), index + all.length);
    const isOn = /\benable[ \t]*=(?![ \t]*false\b)/.test(text.slice(index, index + maxOption));
    return isOn && /\bservices\b/.test(above) ? signOf(name, index + all.lastIndexOf(name), null) : [];
  });
  return [...units, ...options];
}
