/** What `kubectl expose`, `create service` and `patch` make of objects. */
import { expect, test } from 'vitest';
import { type Folder, gravely } from '../../deployment/lint-folder.js';

test.each<[string, Folder, RegExp]>([
  [
    'kubectl expose of a deployment',
    {
      'k.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: n}\nspec:\n  selector: {matchLabels: {app: n}}\n  template:\n    metadata:\n      labels: {app: n}\n    spec:\n      containers:\n        - name: geth\n          image: ghcr.io/paradigmxyz/reth:v1.6.0\n          args: ["node","--http","--http.addr=0.0.0.0","--http.api=eth,admin"]\n          ports: [{containerPort: 8545}]\n',
      'up.sh': '#!/bin/sh\nkubectl expose deploy/n --name rpc --type NodePort --port 80 --target-port 8545\n',
    },
    /^high at k.yaml/,
  ],
  [
    'kubectl expose of a pod in a Makefile',
    {
      'k.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: n, labels: {app: n}}\nspec:\n  containers:\n    - name: geth\n      image: ghcr.io/paradigmxyz/reth:v1.6.0\n      args: ["node","--http","--http.addr=0.0.0.0","--http.api=eth,admin"]\n',
      Makefile: 'up:\n\tkubectl -n x expose pod n --port=8545 --type=LoadBalancer\n',
    },
    /^high at k.yaml/,
  ],
  [
    'a merge patch of a Service',
    {
      'k.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: n}\nspec:\n  selector: {matchLabels: {app: n}}\n  template:\n    metadata:\n      labels: {app: n}\n    spec:\n      containers:\n        - name: geth\n          image: ghcr.io/paradigmxyz/reth:v1.6.0\n          args: ["node","--http","--http.addr=0.0.0.0","--http.api=eth,admin"]\n          ports: [{containerPort: 8545}]\n',
      's.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec:\n  selector: {app: n}\n  ports: [{port: 8545}]\n',
      'up.sh': '#!/bin/sh\nkubectl apply -f .\nkubectl patch svc s -p \'{"spec":{"type":"LoadBalancer"}}\'\n',
    },
    /^high at k.yaml/,
  ],
  [
    'a JSON patch of a Service',
    {
      'k.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: n}\nspec:\n  selector: {matchLabels: {app: n}}\n  template:\n    metadata:\n      labels: {app: n}\n    spec:\n      containers:\n        - name: geth\n          image: ghcr.io/paradigmxyz/reth:v1.6.0\n          args: ["node","--http","--http.addr=0.0.0.0","--http.api=eth,admin"]\n          ports: [{containerPort: 8545}]\n',
      's.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec:\n  selector: {app: n}\n  ports: [{port: 8545}]\n',
      'up.sh':
        '#!/bin/sh\nkubectl patch service/s --type=json -p \'[{"op":"add","path":"/spec/type","value":"NodePort"}]\'\n',
    },
    /^high at k.yaml/,
  ],
  [
    'kubectl expose of a Service',
    {
      'k.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: n}\nspec:\n  selector: {matchLabels: {app: n}}\n  template:\n    metadata:\n      labels: {app: n}\n    spec:\n      containers:\n        - name: geth\n          image: ghcr.io/paradigmxyz/reth:v1.6.0\n          args: ["node","--http","--http.addr=0.0.0.0","--http.api=eth,admin"]\n          ports: [{containerPort: 8545}]\n',
      's.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec:\n  selector: {app: n}\n  ports: [{port: 8545}]\n',
      'up.sh': '#!/bin/sh\nkubectl expose service s --name=pub --type=LoadBalancer\n',
    },
    /^high at k.yaml/,
  ],
  [
    'kubectl expose in a workflow',
    {
      'k.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: n}\nspec:\n  selector: {matchLabels: {app: n}}\n  template:\n    metadata:\n      labels: {app: n}\n    spec:\n      containers:\n        - name: geth\n          image: ghcr.io/paradigmxyz/reth:v1.6.0\n          args: ["node","--http","--http.addr=0.0.0.0","--http.api=eth,admin"]\n          ports: [{containerPort: 8545}]\n',
      '.github/workflows/d.yml':
        'on: push\njobs:\n  d:\n    runs-on: x\n    steps:\n      - run: |\n          kubectl apply -f k.yaml\n          kubectl expose deployment n --type=LoadBalancer --port=8545\n',
    },
    /^high at k.yaml/,
  ],
  [
    'kubectl create service',
    {
      'k.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: n}\nspec:\n  selector: {matchLabels: {app: n}}\n  template:\n    metadata:\n      labels: {app: n}\n    spec:\n      containers:\n        - name: geth\n          image: ghcr.io/paradigmxyz/reth:v1.6.0\n          args: ["node","--http","--http.addr=0.0.0.0","--http.api=eth,admin"]\n          ports: [{containerPort: 8545}]\n',
      'up.sh': '#!/bin/sh\nkubectl create service loadbalancer n --tcp=8545:8545\n',
    },
    /^high at k.yaml/,
  ],
  [
    'a patch to the network of the host',
    {
      'k.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: n}\nspec:\n  selector: {matchLabels: {app: n}}\n  template:\n    metadata:\n      labels: {app: n}\n    spec:\n      containers:\n        - name: geth\n          image: ghcr.io/paradigmxyz/reth:v1.6.0\n          args: ["node","--http","--http.addr=0.0.0.0","--http.api=eth,admin"]\n          ports: [{containerPort: 8545}]\n',
      'up.sh':
        '#!/bin/sh\nkubectl patch deployment n --patch \'{"spec":{"template":{"spec":{"hostNetwork":true}}}}\'\n',
    },
    /^high at k.yaml/,
  ],
  [
    'kubectl expose of a file with an external address',
    {
      'k.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: n}\nspec:\n  selector: {matchLabels: {app: n}}\n  template:\n    metadata:\n      labels: {app: n}\n    spec:\n      containers:\n        - name: geth\n          image: ghcr.io/paradigmxyz/reth:v1.6.0\n          args: ["node","--http","--http.addr=0.0.0.0","--http.api=eth,admin"]\n          ports: [{containerPort: 8545}]\n',
      'up.sh': '#!/bin/sh\nkubectl expose -f k.yaml --port=8545 --external-ip=203.0.113.7\n',
    },
    /^high at k.yaml/,
  ],
  [
    'kubectl expose of a StatefulSet',
    {
      'k.yaml':
        'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: n}\nspec:\n  selector: {matchLabels: {app: n}}\n  template:\n    metadata:\n      labels: {app: n}\n    spec:\n      containers:\n        - name: geth\n          image: ghcr.io/paradigmxyz/reth:v1.6.0\n          args: ["node","--http","--http.addr=0.0.0.0","--http.api=eth,admin"]\n          ports: [{containerPort: 8545}]\n',
      'up.sh':
        '#!/bin/sh\nkubectl apply -f k.yaml && kubectl expose statefulset n --type=LoadBalancer --port=8545\n',
    },
    /^high at k.yaml/,
  ],
  [
    'kubectl expose inside the cluster',
    {
      'k.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: n}\nspec:\n  selector: {matchLabels: {app: n}}\n  template:\n    metadata:\n      labels: {app: n}\n    spec:\n      containers:\n        - name: geth\n          image: ghcr.io/paradigmxyz/reth:v1.6.0\n          args: ["node","--http","--http.addr=0.0.0.0","--http.api=eth,admin"]\n          ports: [{containerPort: 8545}]\n',
      'up.sh': '#!/bin/sh\nkubectl expose deployment n --port=8545\n',
    },
    /^exit 0$/,
  ],
  [
    'kubectl expose of another deployment',
    {
      'k.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: n}\nspec:\n  selector: {matchLabels: {app: n}}\n  template:\n    metadata:\n      labels: {app: n}\n    spec:\n      containers:\n        - name: geth\n          image: ghcr.io/paradigmxyz/reth:v1.6.0\n          args: ["node","--http","--http.addr=0.0.0.0","--http.api=eth,admin"]\n          ports: [{containerPort: 8545}]\n',
      'up.sh': '#!/bin/sh\nkubectl expose deployment other --type=LoadBalancer --port=8545\n',
    },
    /^exit 0$/,
  ],
])('%s counts as the Service that it makes', async (_, files, expected) => {
  expect(await gravely(files)).toMatch(expected);
});
