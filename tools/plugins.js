/** What the build does to the program's code, beside bundling it. */
import { RolldownMagicString } from 'rolldown';
import { manifest } from './bundled.js';

/** Maps of packages would be as large as the program: stacks name the files of src/ alone. */
export const unmapped = {
  name: 'unmapped',
  transform: {
    filter: { id: /node_modules/ },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
};

/** commander would start programs for commands that are files of their own; loading what starts them takes a while. */
export const noPrograms = {
  name: 'no-programs',
  resolveId: {
    filter: { id: /^node:child_process$/ },
    handler: (_, importer) => (importer?.includes('/commander/') ? '\0no-programs' : null),
  },
  load: { filter: { id: /^\0no-programs$/ }, handler: () => 'export default {}' },
};

/** Each of node's own packages is loaded by the first line that uses it: crypto, net and fs/promises take 5 ms. */
export const whenUsed = {
  name: 'when-used',
  renderChunk(code) {
    const text = new RolldownMagicString(code);
    for (const [line, name, load] of code.matchAll(/^let (node_\w+) = (require\("node:[\w/]+"\));$/gm)) {
      const uses = [...code.matchAll(new RegExp(`(?<!^let )\\b${name}\\b`, 'gm'))].map(({ index }) => index);
      // As a whole it is wanted at once: a default import is made of it.
      if (uses.some((at) => code[at + name.length] !== '.')) continue;
      text.replace(line, `let ${name};`);
      for (const at of uses) text.overwrite(at, at + name.length, `(${name} ??= ${load})`);
    }
    // rolldown's own file is loaded even where nothing of it is used.
    for (const { 0: line, 1: name, index } of code.matchAll(/^const (require_rolldown_runtime) = .*$/gm))
      if (!code.includes(`${name}.`)) text.remove(index, index + line.length);
    return text;
  },
};

/** The version is known by now. */
export const versioned = {
  name: 'versioned',
  load: {
    filter: { id: /src\/version\.ts$/ },
    handler: () => `export const version = () => '${manifest('.').version}';`,
  },
};
