/** Confs that scripts copy or unpack. */
import { expect, test } from 'vitest';
import { type Folder, gravely } from '../../deployment/lint-folder.js';

test.each<[string, Folder, RegExp]>([
  [
    'a copy of a missing file',
    {
      'entrypoint.sh':
        '#!/bin/sh\nC="/klaytn-docker-pkg/conf"\ncp /config/kend.conf "${C}/kend.conf"\nkend start\n',
    },
    /^.config.kend.conf, which is copied to kend.conf, is not among the files\nexit 3$/,
  ],
  [
    'a moved file that is missing',
    { 'e.sh': '#!/bin/sh\nD=/klaytn-docker-pkg\nmv /tmp/kend.conf $D/conf/kend.conf\nkend start\n' },
    /^.tmp.kend.conf, which is copied to .*, is not among the files\nexit 3$/,
  ],
  [
    'a missing file that is copied to a folder',
    { 'e.sh': '#!/bin/sh\ncp /config/kcnd.conf /klaytn-docker-pkg/conf/\nkcnd start\n' },
    /^.config.kcnd.conf, which is copied to/,
  ],
  [
    'a missing file in an image',
    {
      Dockerfile: 'FROM klaytn/klaytn:v1.9.0\nCOPY e.sh /e.sh\nENTRYPOINT ["/e.sh"]\n',
      'e.sh':
        '#!/bin/sh\ncp /config/kend.conf /klaytn-docker-pkg/conf/kend.conf\nkend start\nsleep infinity\n',
    },
    /^.config.kend.conf, which is copied to/,
  ],
  [
    'a copy of a file',
    {
      'e.sh': '#!/bin/sh\ncp config/kend.conf /klaytn-docker-pkg/conf/kend.conf\nkend start\n',
      'config/kend.conf': 'RPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_API=admin,personal\n',
    },
    /^critical at config/,
  ],
  [
    'a missing file with known lines after it',
    {
      'e.sh':
        '#!/bin/sh\ncp /config/kend.conf /klaytn-docker-pkg/conf/kend.conf\ncat >> /klaytn-docker-pkg/conf/kend.conf <<E\nRPC_ENABLE=1\nRPC_ADDR=0.0.0.0\nRPC_API=admin,personal\nE\nkend start\n',
    },
    /^critical at e.sh/,
  ],
  [
    'the conf of an archive in a home folder',
    {
      'i.sh':
        '#!/bin/bash\ncd ~\ncurl -O https://packages.klaytn.net/klaytn/v1.8.0/kcn-v1.8.0-0-linux-amd64.tar.gz\ntar xzf kcn-v1.8.0-0-linux-amd64.tar.gz\n~/kcn-linux-amd64/bin/kcnd start\n',
    },
    /^high at i.sh:5\nexit 1$/,
  ],
  [
    'the conf of an archive below $HOME',
    {
      'i.sh':
        '#!/bin/bash\nV=v1.8.0\nwget https://packages.klaytn.net/klaytn/$V/kpn-$V-0-linux-amd64.tar.gz\ntar xf kpn-$V-0-linux-amd64.tar.gz -C $HOME\n$HOME/kpn-linux-amd64/bin/kpnd start\n',
    },
    /^high at i.sh:5\nexit 1$/,
  ],
  [
    'the conf of an archive with changed lines',
    {
      'i.sh':
        '#!/bin/bash\nwget https://packages.kaia.io/kaia/v1.0.3/ken-v1.0.3-0-linux-amd64.tar.gz\ntar xf ken-v1.0.3-0-linux-amd64.tar.gz -C /opt\nsed -i "s/RPC_API=.*/RPC_API=admin,personal/" /opt/ken-linux-amd64/conf/kend.conf\necho RPC_ADDR=0.0.0.0 >> /opt/ken-linux-amd64/conf/kend.conf\n/opt/ken-linux-amd64/bin/kend start\n',
    },
    /^critical at i.sh/,
  ],
  [
    'the conf of an archive, from its own folder',
    {
      'i.sh':
        '#!/bin/bash\nwget https://packages.kaia.io/kaia/v1.0.3/ken-v1.0.3-0-linux-amd64.tar.gz\ntar xf ken-v1.0.3-0-linux-amd64.tar.gz\ncd ken-linux-amd64/bin\n./kend start\n',
    },
    /^high at i.sh:5\nexit 1$/,
  ],
  [
    'the conf of an archive in a folder of another name',
    {
      'i.sh':
        '#!/bin/bash\nwget https://packages.kaia.io/kaia/v1.0.3/ken-v1.0.3-0-linux-amd64.tar.gz\ntar xf ken-v1.0.3-0-linux-amd64.tar.gz -C ~/kaia --strip-components 1\n~/kaia/bin/kend start\n',
    },
    /^high at i.sh:4\nexit 1$/,
  ],
  [
    'the conf of an archive without a release',
    {
      'i.sh':
        '#!/bin/bash\nwget -O k.tgz "$URL"\ntar xf k.tgz -C /opt\n/opt/ken-linux-amd64/bin/kend start\n',
    },
    /which kend reads, is not among the files/,
  ],
])('%s is the conf that the launcher reads', async (_, files, expected) => {
  expect(await gravely(files)).toMatch(expected);
});
