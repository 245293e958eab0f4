/** A development chain signs with an account whose key everybody knows. */
import { reachOf } from '../facts/reach.js';
import { removeWhole } from '../fix/proposal/fix.js';
import { exposureDraft } from '../judge/exposure/exposure.js';
import { decideVerdict, geth, type Rule } from '../judge/rule/rule.js';
import { callableOn } from '../judge/settings/listeners.js';
import { sureModules } from '../judge/settings/module-lists.js';
import { placeOfFlags } from '../judge/settings/setting.js';

export const devAccount: Rule = {
  id: 'dev-account',
  needs: ({ flags }) => flags.development !== null,
  severity: 'high',
  title: 'A development chain signs for every caller.',
  why: `With --dev the node makes its own chain and signs for every caller of eth: geth with one account that has all the funds and no password, and whose key the source of later releases publishes; reth with 20 accounts of a published mnemonic. Whoever reaches the interface sends transactions, and signs messages that look like those of an account’s owner.`,
  fix: 'Use --dev only where this machine alone reaches the node.',
  ignore: 'If the chain is for tests and nothing of value depends on it.',
  sources: [geth('cmd/utils/flags.go'), 'https://geth.ethereum.org/docs/developers/dapp-developer/dev-mode'],
  examples: {
    bad: { command: 'geth --dev --http --http.addr 192.0.2.1', also: ['implicit-modules', 'public-bind'] },
    good: { command: 'geth --http --http.api eth' },
  },
  on: 'settings',
  check: (settings) => {
    const { development, developmentAccounts } = settings.nodeKind.flags;
    const flag = development ?? '';
    if (settings.values[flag]?.value !== true) return decideVerdict([]);
    const at = placeOfFlags(settings, flag);
    const signing = callableOn(settings, 'http', 'ws').filter((one) =>
      sureModules(settings, one).includes('eth'),
    );
    return decideVerdict(
      signing.map((listener) =>
        exposureDraft(listener.kind, reachOf(listener), {
          about: flag,
          severity: 'high',
          at,
          message: `${listener.kind} signs with ${developmentAccounts ?? `the account of --${flag}, without a password`}`,
          fix: removeWhole(settings, flag, { at }),
          evidence: { module: 'eth' },
        }),
      ),
    );
  },
};
