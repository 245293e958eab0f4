/** Services that files switch on by name: units, init scripts, tasks of Ansible, modules of NixOS. */
import { expect, test } from 'vitest';
import { type Folder, gravely } from '../lint-folder.js';

test.each<[string, Folder, RegExp]>([
  [
    'systemctl start',
    { 'a.sh': '#!/bin/bash\nsystemctl start geth\n' },
    /geth seems to start a node here, and it is not among the files read/,
  ],
  [
    'systemctl enable --now',
    { 'a.sh': '#!/bin/bash\nsystemctl enable --now geth.service\n' },
    /geth.service seems/,
  ],
  [
    'systemctl start of two units',
    {
      'a.sh': '#!/bin/bash\nset -e\nsudo systemctl daemon-reload && sudo systemctl start prometheus erigon\n',
    },
    /erigon seems/,
  ],
  ['service restart', { 'a.sh': '#!/bin/sh\nservice geth restart\n' }, /geth seems/],
  ['an init script', { 'a.sh': '#!/bin/sh\n/etc/init.d/geth start\n' }, /geth seems/],
  [
    'a unit of a cloned repository',
    {
      'a.sh':
        '#!/bin/bash\ngit clone https://github.com/x/eth-units /opt/u\ncp /opt/u/geth.service /etc/systemd/system/\nsystemctl start geth\n',
    },
    /geth seems/,
  ],
  [
    'a list of words',
    { 'user-data.yaml': '#cloud-config\nruncmd:\n  - [systemctl, start, reth]\n' },
    /reth seems/,
  ],
  [
    'a task with a map',
    {
      'play.yml':
        '- hosts: all\n  tasks:\n    - name: start\n      systemd:\n        name: geth\n        state: started\n',
    },
    /geth seems/,
  ],
  [
    'a task on one line',
    { 'play.yml': '- hosts: all\n  tasks:\n    - service: name=geth state=started\n' },
    /geth seems/,
  ],
  ['a recipe', { Makefile: 'up:\n\tsudo systemctl restart geth\n' }, /geth seems/],
  ['an instance', { 'a.sh': '#!/bin/bash\nsystemctl start geth@mainnet\n' }, /geth@mainnet seems/],
  [
    'services.geth',
    {
      'c.nix':
        '{ ... }: {\n  services.geth.main = {\n    enable = true;\n    http = { enable = true; address = "0.0.0.0"; apis = [ "eth" "admin" ]; };\n  };\n}\n',
    },
    /geth seems to be started/,
  ],
  [
    'services.ethereum.geth',
    {
      'c.nix':
        '{\n  services.ethereum.geth.mainnet = {\n    enable = true;\n    args.http = { enable = true; addr = "0.0.0.0"; api = [ "admin" ]; };\n  };\n}\n',
    },
    /geth seems to be started/,
  ],
  [
    'services = { geth',
    {
      'c.nix':
        '{ ... }: {\n  services = {\n    geth.mainnet = {\n      enable = true;\n      http.enable = true;\n    };\n  };\n}\n',
    },
    /geth seems to be started/,
  ],
  [
    'services.geth."main".enable',
    {
      'c.nix':
        '{ ... }: {\n  services.geth."main".enable = true;\n  services.geth.main.http.enable = true;\n}\n',
    },
    /geth seems to be started/,
  ],
  [
    'services.erigon',
    { 'c.nix': '{ ... }: { services.erigon = { enable = true; settings."http.addr" = "0.0.0.0"; }; }\n' },
    /erigon seems to be started/,
  ],
  [
    'services.ethereum = { reth',
    {
      'c.nix':
        '{\n  services.ethereum = {\n    reth.main = {\n      enable = true;\n      args.http.addr = "0.0.0.0";\n    };\n  };\n}\n',
    },
    /reth seems to be started/,
  ],
])('%s is named', async (_, files, expected) => {
  expect(await gravely(files)).toMatch(expected);
});

test.each<[string, Folder, RegExp]>([
  [
    'a unit among the files',
    {
      'a.sh': '#!/bin/bash\nsystemctl start geth\n',
      'geth.service': '[Service]\nExecStart=/usr/bin/geth --http\n',
    },
    /^exit 0$/,
  ],
  [
    'an instance of a template among the files',
    {
      'a.sh': '#!/bin/bash\nsystemctl start geth@x\n',
      'geth@.service': '[Service]\nExecStart=/usr/bin/geth --http\n',
    },
    /^exit 0$/,
  ],
  [
    'a unit that the script writes',
    {
      'a.sh':
        '#!/bin/bash\ncat > /etc/systemd/system/geth.service <<EOF\n[Service]\nExecStart=/usr/bin/geth --http\nEOF\nsystemctl start geth\n',
    },
    /^exit 0$/,
  ],
  [
    'stopping a unit, and starting another program',
    {
      'a.sh':
        '#!/bin/bash\nsystemctl stop geth\nsystemctl status geth\nsystemctl start geth-exporter\necho "run systemctl start geth"\n',
    },
    /^exit [02]$/,
  ],
  [
    'an option that is off',
    { 'c.nix': '{ ... }: { services.geth.main = { enable = false; }; }\n' },
    /^exit [02]$/,
  ],
  ['another service', { 'c.nix': '{ ... }: { services.nginx = { enable = true; }; }\n' }, /^exit [02]$/],
])('%s asks nothing', async (_, files, expected) => {
  expect(await gravely(files)).toMatch(expected);
});
