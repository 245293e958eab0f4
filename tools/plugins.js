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

/** Inlines what the program says of package.json. */
export const versioned = {
  name: 'versioned',
  load: {
    filter: { id: /src\/version\.ts$/ },
    handler: () => {
      const { version, homepage } = manifest('.');
      const inlined = JSON.stringify({ version, homepage });
      return `const inlined = ${inlined}; export const manifest = () => inlined; export const version = () => inlined.version;`;
    },
  },
};
