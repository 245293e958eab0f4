/** Parses sentences by the forms of a grammar, whose placeholders are sections of it or types that are held against facts. */

/** A text that stands for a type, as a form has it. */
export type Words = readonly (readonly [type: string, text: string])[];
export type Type = (text: string) => boolean;
export type Claim = (words: Words) => boolean;

interface Form {
  readonly line: string;
  readonly parts: readonly string[];
  readonly claim: string | null;
}
export type Grammar = ReadonlyMap<string, readonly Form[]>;

export function readGrammar(text: string): Grammar {
  const sections = new Map<string, Form[]>();
  let forms: Form[] = [];
  for (const line of text.split('\n')) {
    const name = /^\[(.*)\]$/.exec(line)?.[1];
    if (name !== undefined) {
      forms = [];
      sections.set(name, forms);
    } else if (line !== '' && !line.startsWith('#')) {
      const [form = '', claim = null] = line.split(' ← ');
      // Literals and placeholders by turns.
      forms.push({ line, parts: form.replace('∅', '').split(/[{}]/), claim });
    }
  }
  return sections;
}

/** The names of types in the forms. */
export function typesOf(grammar: Grammar): readonly string[] {
  const names = [...grammar.values()].flat().flatMap(({ parts }) => parts.filter((_, at) => at % 2 === 1));
  return [...new Set(names)].filter((name) => !grammar.has(name)).sort();
}

interface Parse {
  readonly end: number;
  readonly words: Words;
  readonly used: readonly string[];
}

/** The forms that a sentence is made of; null if it is none of the section, or what it says is not so. */
export function parseSentence(
  grammar: Grammar,
  section: string,
  sentence: string,
  types: Readonly<Record<string, Type>>,
  claims: Readonly<Record<string, Claim>>,
): readonly string[] | null {
  function* inSection(name: string, at: number): Generator<Parse> {
    for (const form of grammar.get(name) ?? []) {
      for (const { end, words, used } of inParts(form.parts, 0, at)) {
        if (form.claim === null || claims[form.claim]?.(words) === true)
          yield { end, words, used: [...used, form.line] };
      }
    }
  }

  function* inParts(parts: readonly string[], from: number, at: number): Generator<Parse> {
    const [literal = '', name, ...rest] = parts.slice(from);
    if (!sentence.startsWith(literal, at)) return;
    const start = at + literal.length;
    if (name === undefined) {
      yield { end: start, words: [], used: [] };
      return;
    }
    for (const one of grammar.has(name) ? inSection(name, start) : ofType(name, start, rest)) {
      for (const next of inParts(parts, from + 2, one.end))
        yield { end: next.end, words: [...one.words, ...next.words], used: [...one.used, ...next.used] };
    }
  }

  function* ofType(name: string, start: number, [literal = '']: readonly string[]): Generator<Parse> {
    for (let end = start + 1; end <= sentence.length; end += 1) {
      if (!sentence.startsWith(literal, end)) continue;
      const text = sentence.slice(start, end);
      if (types[name]?.(text) === true) yield { end, words: [[name, text]], used: [] };
    }
  }

  for (const { end, used } of inSection(section, 0)) if (end === sentence.length) return used;
  return null;
}
