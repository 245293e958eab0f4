/** Plugins of the build. */
import { manifest } from './bundled.js';

/** Drops the source maps of packages, which would be as large as the program. */
export const unmapped = {
  name: 'unmapped',
  transform: {
    filter: { id: /node_modules/ },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
};

/** Inlines the version. */
export const versioned = {
  name: 'versioned',
  load: {
    filter: { id: /src\/version\.ts$/ },
    handler: () => `export const version = () => '${manifest('.').version}';`,
  },
};
