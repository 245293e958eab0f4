/** A module list is empty, and the node then offers every module. */
import { joinWords as names } from '../../util/words.js';
import { reachOf } from '../facts/reach.js';
import { indeterminate } from '../facts/seen.js';
import { offerPublic, setTo } from '../fix/proposal/fix.js';
import { exposureDraft } from '../judge/exposure/exposure.js';
import { type Draft, decideVerdict, geth, type Rule } from '../judge/rule/rule.js';
import { listenersOn, placeOfList, type RpcListener } from '../judge/settings/listeners.js';
import { placeOfFlags } from '../judge/settings/setting.js';
import { unsetVariable } from '../judge/settings/unset-variable.js';
import type { NodeSettings } from '../kinds/node.js';

export const everythingOffered: Rule = {
  id: 'everything-offered',
  needs: ({ modules }) => modules.emptyMeansAll,
  severity: 'critical',
  title: 'An empty module list offers every module.',
  why: `The node compares a module with the list only if the list names one. With an empty list it offers every module, admin and debug among them. A variable that is not set leaves the list empty, as do a lone comma and HTTPModules = [] in the file of --config. geth v1.9.16 to v1.10.19 offer the services marked public then, and older releases none for a list on the command line. Without the flag, the node offers eth, net and web3.`,
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
  check: (settings) => {
    const listeners = listenersOn(settings, 'http', 'ws');
    return decideVerdict(
      listeners.flatMap((listener) => ofListener(settings, listener)),
      listeners.flatMap(({ kind }) => {
        const reason = unsetVariable(settings, kind)?.why ?? null;
        return reason === null ? [] : [indeterminate(kind, reason)];
      }),
    );
  },
};

/** A switch in the file of --config that older releases follow. */
const exposeAll = 'Node.WSExposeAll';

function ofListener(settings: NodeSettings, listener: RpcListener): Draft[] {
  const { kind, listed } = listener;
  const isExposed = kind === 'ws' && settings.values[exposeAll]?.value === true;
  const isEmpty = listed?.every(({ name }) => name === '') ?? false;
  const unsetBy = isEmpty || isExposed ? null : unsetVariable(settings, kind);
  const variable = unsetBy?.why === null ? unsetBy.name : null;
  const modules = listener.modules ?? listener.ifEmpty ?? [];
  if ((!isExposed && !isEmpty && variable === null) || modules.every((name) => name === 'rpc')) return [];
  const isAll = modules.includes('admin');
  const offers = isAll
    ? `${kind} offers every module, admin among them`
    : `${kind} offers every public service: ${names(modules.filter((name) => name !== 'rpc'))}, and what admin and debug let anyone read`;
  const empty = `the module list of ${kind} is empty, so that ${offers}`;
  const unset = `the module list of ${kind} is ${variable}, which no file here sets: where it is not set, ${offers}`;
  return [
    exposureDraft(kind, reachOf(listener), {
      about: listener.host ?? kind,
      severity: isAll ? 'critical' : 'medium',
      at: isExposed ? placeOfFlags(settings, exposeAll) : placeOfList(settings, kind),
      message: isExposed ? `WSExposeAll is true, so that ${offers}` : isEmpty ? empty : unset,
      fix: isExposed ? setTo(settings, exposeAll, 'false') : offerPublic(settings, listener),
      evidence: variable === null ? {} : { variable },
    }),
  ];
}
