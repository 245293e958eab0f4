/** The lists of an interface: of modules, and of whoever is let in. */
import type { ListedModule, Listener, Setting } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import { isBootNode, type Launcher } from '../../kinds/kaia/names.js';
import { type Existing, offered } from '../../kinds/kaia/offered.js';

export interface ListInput {
  readonly launcher: Launcher;
  readonly settings: Readonly<Record<string, Setting>>;
  /** Where a piece of a setting's value stands. */
  locate(setting: Setting, piece: string, after: Span | null): Span | null;
}

/** The items of a list setting, trimmed as the node does; [] when it is not set; null when it is indeterminate. */
export function items(setting: Setting | undefined): readonly string[] | null {
  if (setting === undefined || setting.indeterminate !== null) return null;
  return typeof setting.value === 'string' ? setting.value.split(',').map((item) => item.trim()) : [];
}

/** What a list of modules offers. */
export function listOf(
  input: ListInput,
  flag: string,
  existing: Existing,
): Pick<Listener, 'listed' | 'modules' | 'builtInList'> {
  const setting = input.settings[flag];
  const list = items(setting);
  if (setting === undefined || list === null) return { listed: null, modules: null, builtInList: false };
  const given = setting.value !== null;
  return {
    listed: given ? listed(input, setting, list) : null,
    modules: offeredBy(input, given ? list : null, existing),
    builtInList: !given,
  };
}

/** A boot node's built-in list is `net`, a service it does not have. */
function offeredBy({ launcher }: ListInput, list: readonly string[] | null, existing: Existing) {
  return offered(existing, list === null && isBootNode(launcher) ? ['net'] : list);
}

function listed(input: ListInput, setting: Setting, list: readonly string[]): readonly ListedModule[] {
  let after: Span | null = null;
  return list.map((name) => {
    const at = name === '' ? null : input.locate(setting, name, after);
    if (at !== null) after = at;
    return { name, at };
  });
}
