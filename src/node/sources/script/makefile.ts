/** A Makefile as a shell script: its variables, the files it includes and the commands of its recipes. */
import { Placed } from '../text/placed.js';
import { splitWords } from '../text/words.js';

export const isMakefile = /(?:^|[\\/])(?:GNU)?[Mm]akefile$|\.mk$/;

/**
 * `X ?= a` as `X="a"`, `$(X)` as `${X}` and `$$X` as `$X`. A variable that is assigned twice, or from others, stays
 * unknown. What a recipe runs gets exported variables: with a line `export`, all of them.
 * @param open - the text of an included file; null if it is not known
 */
export function scriptOf(makefile: Placed, open: (path: string) => Placed | null): Placed {
  const { text } = makefile;
  const assignments = [...text.matchAll(/(?<![\w-])(\w+)[ \t]*[:?+!]*=/g)].map(([, name]) => name);
  const exportsAll = exportAll.test(text) || (exportListed.test(text) && included.test(text));
  const names = new Set<string>();
  const lines = withExports(makefile).replace(notCommands, (_, at) => at.as(':'));
  const recipes = lines.replace(/^\t[@+-]+/gm, (_, at) => at.as('\t'));
  const files = recipes.replace(new RegExp(included, 'gm'), ([all], at) => {
    const paths = splitWords(at.slice(/^ *-?\w+/.exec(all)?.[0].length ?? 0));
    const parts = paths.flatMap((path) => {
      const found = open(path.text);
      if (found === null) return exportsAll ? [path.as('. '), path, path.as('\n')] : [];
      return [found.replace(includedLine, (match, line) => assigned(match, line, names)), path.as('\n')];
    });
    return parts.length === 0 ? null : Placed.join(parts);
  });
  const inFiles = new Set(names);
  const known = files.replace(
    assignment,
    ({ 1: prefix = '', 2: name = '', 3: sign = '', 4: value = '' }, at) => {
      const isDefault = inFiles.has(name) && sign.includes('?');
      if (isDefault || assignments.filter((one) => one === name).length > 1) return null;
      names.add(name);
      const start = prefix.length + name.length;
      const from = start + sign.length;
      return Placed.join([
        at.slice(0, start),
        at.as('="'),
        at.slice(from, from + value.trimEnd().length),
        at.as('"'),
      ]);
    },
  );
  const expanded = known.replace(/\$[({](\w+)[)}]/g, ({ 1: name = '' }, at) =>
    names.has(name) ? at.as(`\${${name}}`) : null,
  );
  const script = expanded.replace(/\$\$/g, (_, at) => at.slice(0, 1));
  return exportsAll ? Placed.join([script.slice(0, 0).as('set -a\n'), script]) : script;
}

/** `run: export X = a` before the rule `run:`, as commands around its recipe. */
function withExports(makefile: Placed): Placed {
  const own = [...makefile.text.matchAll(ofTarget)].map(
    ({ index, 0: all, 1: target = '', 2: name = '', 3: value = '' }) => {
      const start = index + all.length - value.length;
      return { target, name, value: makefile.slice(start, start + value.trimEnd().length) };
    },
  );
  if (own.length === 0) return makefile;
  return makefile
    .replace(ofTarget, (_, at) => at.as(':'))
    .replace(rule, ({ 0: all, 1: header = '', 2: targets = '' }, at) => {
      const set = own.filter(({ target }) => targets.split(/[ \t]+/).includes(target));
      const before = set.flatMap(({ name, value }) => [`export ${name}='`, value, "'\n"]);
      const after = set.map(({ name }) => `unset ${name}\n`);
      const end = all.endsWith('\n') ? '' : '\n';
      return set.length === 0
        ? null
        : at.joined([at.slice(0, header.length), ...before, at.slice(header.length), end, ...after]);
    });
}

const ofTarget = /^([\w./-]+)[ \t]*:[ \t]*export[ \t]+(\w+)[ \t]*[:?]*=[ \t]*([^$'\n]*)$/gm;
const rule = /^(([\w./-]+(?:[ \t]+[\w./-]+)*)[ \t]*::?(?!=)[^=\n]*\n)(?:\t.*(?:\n|$))+/gm;

const exportAll = /^ *(?:export[ \t]*|\.EXPORT_ALL_VARIABLES[ \t]*:.*)$/m;
/** The names that a command lists, which are those of the included file. */
const exportListed = /^ *export[ \t]+\$[({]shell\b.*$/m;
const included = /^ *(?:-?|s)include[ \t]+(?!.*[$*?]).*$/m;
/** Conditionals, of which every branch is read, and exports of all variables. */
const notCommands =
  /^ *(?:(?:ifn?eq|ifn?def|else|endif)\b.*|export[ \t]*|\.EXPORT_ALL_VARIABLES[ \t]*:.*|export[ \t]+\$[({]shell\b.*)$/gm;

/** A line `X ?= a b # comment`, without quotes and other variables. */
const assignment = /^((?:export[ \t]+)?)(\w+)([ \t]*[:?]*=[ \t]*)([^"'$`\\#\n]*)(?:#.*)?$/gm;
const includedLine = /^(?:export[ \t]+)?([A-Za-z_]\w*)([ \t]*[:?]*=[ \t]*)([^#\n]*).*$/gm;

/** A line of an included file: make keeps quotes, and expands what begins with a dollar. */
function assigned(
  { 0: all, 1: name = '', 2: sign = '', 3: value = '' }: RegExpExecArray,
  at: Placed,
  names: Set<string>,
): Placed {
  names.add(name);
  const start = all.indexOf(name) + name.length + sign.length;
  const text = value.trimEnd();
  const parts = /[$'\\]/.test(text)
    ? [at.as('="$(make)"')]
    : [at.as("='"), at.slice(start, start + text.length), at.as("'")];
  return Placed.join([at.slice(all.indexOf(name), all.indexOf(name) + name.length), ...parts]);
}
