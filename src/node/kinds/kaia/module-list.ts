/** The lists of an interface: of modules, and of whoever is let in. */
import type { ListedModule, Listener, Setting } from '../../facts/settings.js';
import type { Span } from '../../facts/span.js';
import type { Existing, Start } from '../kind.js';
import { isBootNode, launcherNamed } from './names.js';
import { offered } from './offered.js';

/** The items of a list setting, trimmed as the node does; [] when it is not set; null when it is indeterminate. */
export function items(setting: Setting | undefined): readonly string[] | null {
  if (setting === undefined || setting.indeterminate !== null) return null;
  return typeof setting.value === 'string' ? setting.value.split(',').map((item) => item.trim()) : [];
}

/** What a list of modules offers. */
export function listOf(
  input: Start,
  flag: string,
  existing: Existing,
): Pick<Listener, 'listed' | 'modules' | 'builtInList'> {
  const setting = input.values[flag];
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
function offeredBy({ launcher }: Start, list: readonly string[] | null, existing: Existing) {
  return offered(existing, list === null && isBootNode(launcherNamed(launcher)) ? ['net'] : list);
}

function listed(input: Start, setting: Setting, list: readonly string[]): readonly ListedModule[] {
  let after: Span | null = null;
  return list.map((name) => {
    const at = name === '' ? null : input.locate(setting, name, after);
    if (at !== null) after = at;
    return { name, at };
  });
}
