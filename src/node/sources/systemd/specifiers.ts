/** Specifiers of units: %i, %n and others. systemd.unit(5) */
import { unfilled } from '../text/placeholders.js';
import type { Directive } from './directives.js';

/** The directive with its specifiers expanded; those of a template's instance, of users and of hosts are unknown. */
export function expandSpecifiers({ name, value }: Directive, unit: string): Directive {
  const [, prefix = '', instance] = /^([^@]*)(?:@(.*))?\.service$/.exec(unit) ?? [];
  const known: Readonly<Record<string, string>> = {
    ...(instance === '' ? {} : { n: unit, N: unit.replace(/\.service$/, ''), i: instance ?? '' }),
    p: prefix,
    P: prefix,
  };
  const filled = value.replace(/%([A-Za-z%])/g, ([, letter = ''], at) =>
    letter === '%' ? at : at.as(Object.hasOwn(known, letter) ? (known[letter] as string) : unfilled),
  );
  return { name, value: filled };
}
