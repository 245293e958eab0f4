/** The tables of a firewall while its statements are read. Rules are texts of nft, in which every reader writes them. */
import type { Span } from '../../facts/span.js';
import { rulesOf, type Sets, translates } from './nft-rule.js';
import { everywhere, ip4, ip6, type Ranges } from './ranges.js';
import { type BaseChain, type Ruleset, Unread } from './ruleset.js';

interface Chain {
  readonly rules: { readonly text: string; readonly at: Span }[];
  /** Where the kernel calls it; null: other chains jump to it. */
  base: Pick<BaseChain, 'hook' | 'priority' | 'at'> | null;
  policy: 'accept' | 'drop';
}

interface NamedSet {
  /** null: not understood. */
  readonly elements: readonly string[] | null;
  /** True for elements that rules add, or that end after a time. */
  readonly isDynamic: boolean;
}

export class Table {
  readonly chains = new Map<string, Chain>();
  readonly sets = new Map<string, NamedSet>();
  isDormant = false;

  chain(name: string): Chain {
    const chain = this.chains.get(name) ?? { rules: [], base: null, policy: 'accept' };
    this.chains.set(name, chain);
    return chain;
  }
}

/** The families of tables that see packets of TCP on their way to a program. Others can only drop more of them. */
const families: Readonly<Record<string, Ranges>> = { inet: everywhere, ip: ip4, ip6 };

/** Tables by their family and name: `inet filter`. */
export class Tables extends Map<string, Table> {
  table(key: string): Table {
    const table = this.get(key) ?? new Table();
    this.set(key, table);
    return table;
  }

  /** @throws {Unread} where a rule is not understood, or jumps to a chain that its table does not have */
  ruleset(): Ruleset {
    const bases: BaseChain[] = [];
    let isTranslating = false;
    for (const [key, table] of this) {
      const sources = families[key.split(' ')[0] ?? ''];
      const sets = setsOf(table);
      const read = ({ text, at }: Chain['rules'][number]) => {
        if (translates(text)) isTranslating = true;
        for (const [, to = ''] of text.matchAll(/\b(?:jump|goto) ([\w.-]+)/g))
          if (!table.chains.has(to)) throw new Unread();
        return rulesOf(text, sets, at);
      };
      const chains = new Map([...table.chains].map(([name, { rules }]) => [name, rules.flatMap(read)]));
      if (sources === undefined || table.isDormant) continue;
      for (const [name, { base, policy }] of table.chains)
        if (base !== null) bases.push({ ...base, sources, policy, chains, rules: chains.get(name) ?? [] });
    }
    return { bases, translates: isTranslating };
  }
}

/** The sets that hold what the file says: those without elements may be filled while the firewall runs. */
function setsOf({ sets, chains }: Table): Sets {
  const changed = new Set(
    [...chains.values()].flatMap(({ rules }) =>
      rules.flatMap(({ text }) =>
        [...text.matchAll(/\b(?:add|update|delete) @([\w.-]+)/g)].map(([, name = '']) => name),
      ),
    ),
  );
  return new Map(
    [...sets].map(([name, { elements, isDynamic }]) => [
      name,
      isDynamic || changed.has(name) || elements?.length === 0 ? null : elements,
    ]),
  );
}
