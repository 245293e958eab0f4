/** What the build does to the program's code, beside bundling it. */
import { manifest } from './bundled.js';

/** Maps of packages would be as large as the program: stacks name the files of src/ alone. */
export const unmapped = {
  name: 'unmapped',
  transform: {
    filter: { id: /node_modules/ },
    handler: (code) => ({ code, map: { mappings: '' } }),
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
