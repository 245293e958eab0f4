/** Scripts that read a file which their first argument names. */
import { expect, test } from 'vitest';
import { type Folder, gravely } from '../../deployment/lint-folder.js';

const start = 'exec geth --http --http.addr 0.0.0.0 --http.api "$API"\n';
const conf = 'RPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_API=admin,klay\n';

test.each<[string, Folder, string]>([
  [
    'each file counts',
    {
      'run.sh': `#!/bin/bash\n. env/$1.sh\n${start}`,
      'env/dev.sh': 'API=eth,admin\n',
      'env/prod.sh': 'API=eth\n',
    },
    'critical at env/dev.sh:1\nexit 1',
  ],
  [
    'files that are safe',
    {
      'run.sh': `#!/bin/bash\nsource "env/\${1}.env"\n${start}`,
      'env/a.env': 'API=eth\n',
      'env/b.env': 'API=net\n',
    },
    'exit 0',
  ],
  [
    'a function that writes a conf',
    {
      run: '#!/bin/bash\nsource cmd/$1.sh\ncase "$1" in\n  setup) setup ;;\nesac\n',
      'cmd/setup.sh': `#!/bin/bash\nsetup() {\n  cat > conf/kcnd.conf <<EOF\n${conf}EOF\n}\n`,
    },
    'critical at cmd/setup.sh:6\nexit 1',
  ],
  [
    'a file without a first line that writes the conf of the machine',
    {
      run: '#!/bin/bash\nDIR="$(dirname "$0")"\nCMD=$1; shift; . "$DIR/cmd/$CMD.sh"\n',
      'cmd/setup.sh': `cat > /etc/kcnd/conf/kcnd.conf <<EOF\n${conf}EOF\n`,
    },
    'critical at cmd/setup.sh:4\nexit 1',
  ],
])('%s', async (_, files, expected) => {
  expect(await gravely(files)).toBe(expected);
});
