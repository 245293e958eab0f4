/** Writes a value as YAML, so that each text keeps its place. */
import type { Placed } from '../../text/placed.js';
import type { Tree } from '../../yaml/tree.js';

/** As `toYaml`, without a line end behind it. */
export function yamlOf(value: Tree | null, at: Placed): Placed {
  return at.joined(lines(value, at, '').flatMap((line, index) => (index === 0 ? line : ['\n', ...line])));
}

type Line = readonly (Placed | string)[];

function lines(value: Tree | null, at: Placed, indent: string): Line[] {
  if (value?.isMap === true)
    return value.entries.length === 0
      ? [[indent, '{}']]
      : value.entries.flatMap(({ key, value: inner }) =>
          below([indent, isPlain(key.text) ? key : key.as(JSON.stringify(key.text)), ':'], inner, at, indent),
        );
  if (value?.isList === true)
    return value.items.length === 0
      ? [[indent, '[]']]
      : value.items.flatMap((item) => {
          const [first = [], ...others] = lines(item, at, `${indent}  `);
          return [[`${indent}- `, ...first.slice(1)], ...others];
        });
  return [[indent, ...scalar(value, at)]];
}

/** A value behind its key: maps and lists on lines of their own. */
function below(head: Line, value: Tree | null, at: Placed, indent: string): Line[] {
  const isEmpty = value !== null && value.entries.length === 0 && value.items.length === 0;
  if (value?.isMap === true && !isEmpty) return [head, ...lines(value, at, `${indent}  `)];
  if (value?.isList === true && !isEmpty) return [head, ...lines(value, at, indent)];
  const text = value?.text ?? null;
  if (text !== null && typeof value?.value === 'string' && text.text.includes('\n')) {
    const sign = text.text.endsWith('\n') ? '|' : '|-';
    const body = text.text.endsWith('\n') ? text.slice(0, text.text.length - 1) : text;
    return [[...head, ' ', sign], ...body.split(/\n/).map((line) => [`${indent}  `, line])];
  }
  const [[, ...inline] = []] = lines(value, at, '');
  return [[...head, ' ', ...inline]];
}

/** Plain where YAML reads the same text back, else in double quotes. */
function scalar(value: Tree | null, at: Placed): Line {
  if (value === null || value.value === null) return ['null'];
  const text = value.text ?? at.as(String(value.value));
  if (typeof value.value !== 'string' || isPlain(text.text)) return [text];
  const escaped = JSON.stringify(text.text).slice(1, -1);
  return ['"', escaped === text.text ? text : text.as(escaped), '"'];
}

/** Whether YAML takes the text neither for another type nor for syntax. */
function isPlain(text: string): boolean {
  return (
    /^[A-Za-z/_][\w./-]*(?:[:=,][\w./-]+)*$/.test(text) &&
    !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text)
  );
}
