/** A module list is empty, and the node then offers every module. */
import { reachOf } from '../facts/reach.js';
import { linesIn, spanOf } from '../facts/settings.js';
import { exposureDraft } from '../judge/exposure/exposure.js';
import { offerPublic } from '../judge/fix/fix.js';
import { type Draft, found, type Rule } from '../judge/rule/rule.js';
import { geth } from '../judge/rule/sources.js';
import { listenersOn, placeOfList, type RpcListener } from '../judge/settings/listeners.js';
import { gethFamily } from '../kinds/families.js';
import type { NodeSettings } from '../kinds/node.js';

export const everythingOffered: Rule = {
  id: 'everything-offered',
  kinds: gethFamily,
  severity: 'critical',
  title: 'An empty module list offers every module.',
  why: `The node compares a module with the list only if the list names one. With an empty list it offers every module, admin and debug among them. A variable that is not set leaves the list empty, as do a lone comma and HTTPModules = [] in the file of --config. Without the flag, the node offers eth, net and web3.`,
  fix: 'List the modules that clients need, usually eth, net and web3, or leave the flag out.',
  ignore: 'If no other machine reaches the interface and every user of this machine may control the node.',
  sources: [geth('node/rpcstack.go')],
  examples: {
    bad: {
      command: 'geth --http --http.addr 192.0.2.1 --http.api=',
      also: ['privileged-module', 'public-bind'],
    },
    good: { command: 'geth --http --http.api eth,net,web3' },
  },
  on: 'settings',
  check: (settings) =>
    found(listenersOn(settings, 'http', 'ws').flatMap((listener) => ofListener(settings, listener))),
};

function ofListener(settings: NodeSettings, listener: RpcListener): Draft[] {
  const { kind, listed, host } = listener;
  const isEmpty = listed?.every(({ name }) => name === '') ?? false;
  const variable = isEmpty ? null : unsetVariable(settings, kind);
  if (!isEmpty && variable === null) return [];
  const list = `the module list of ${kind} is`;
  const message = isEmpty
    ? `${list} empty, so that ${kind} offers every module, admin among them`
    : `${list} ${variable}, which no file here sets: where it is not set, ${kind} offers every module, admin among them`;
  return [
    exposureDraft(kind, reachOf(listener), {
      about: host ?? kind,
      severity: 'critical',
      at: placeOfList(settings, kind),
      message,
      fix: offerPublic(settings, listener),
      evidence: { ...(variable === null ? {} : { variable }) },
    }),
  ];
}

/** A variable without a default that alone is the list, and that no file sets: `${HTTP_API}`. */
function unsetVariable({ values, source, nodeKind }: NodeSettings, kind: RpcListener['kind']): string | null {
  const setting = values[nodeKind.interfaces.flags[kind].api ?? ''];
  const at = spanOf(setting?.origin);
  if (setting?.indeterminate == null || at === null) return null;
  const line = linesIn(source, at.file)[at.line - 1] ?? '';
  const [, variable = null] =
    /^(?:["']?--?[\w.]+=)?["']?(\$(?:\w+|\{\w+\}))["']?$/.exec(line.slice(at.column - 1, at.endColumn - 1)) ??
    [];
  // Another one is unknown where the variable holds the flag too: a whole command.
  return variable !== null && setting.indeterminate.startsWith(`${variable} (`) ? variable : null;
}
