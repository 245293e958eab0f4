/** Rules and releases by name. */
import { KaiactlError } from '../../errors.js';
import { closest } from '../../util/closest.js';
import { visible } from '../../util/visible.js';
import { type LedgerRule, ledgerRules } from '../facts/sign.js';
import type { Rule } from '../judge/rule/rule.js';
import { rules } from '../rules/index.js';

/**
 * The rule with this id or alias. `where` precedes the error.
 * @throws {KaiactlError} on an unknown rule (exit 2)
 */
export function ruleNamed(name: string, where = ''): Rule {
  const rule = rules.find(({ id, aliases }) => id === name || aliases?.includes(name) === true);
  if (rule !== undefined) return rule;
  const near = closest(
    name,
    rules.flatMap(({ id, aliases = [] }) => [id, ...aliases]),
  );
  const part = name.toLowerCase();
  const holding = part.length < 3 ? [] : ruleNames.filter((id) => id.includes(part));
  const meant =
    near ??
    holding
      .slice(0, 5)
      .join(', ')
      .replace(/, (?=[^,]*$)/, ' or ');
  throw new KaiactlError(`${where}there is no rule ${visible(name, 80)}`, {
    hint: meant === '' ? 'kaiactl node explain lists them.' : `Did you mean ${meant}?`,
  });
}

/** The pages of the open questions that have the name of a rule: they have no finding, so their target is undetermined. */
export const openQuestions: Readonly<
  Record<
    LedgerRule,
    Readonly<Record<'title' | 'why' | 'fix', string>> & { readonly sources: readonly string[] }
  >
> = {
  'unfollowed-start': {
    title: 'A file starts a node, or opens an interface of one, in a way that is not followed.',
    why: 'kaiactl runs nothing. What a program, an edited launcher, a computed value or a file in an unknown format starts is not known, so the target is undetermined (exit 3), never a pass.',
    fix: 'Pass the node’s command with --command-line, its conf as a file, or the rendered file on stdin. If nothing is started there: # kaiactl-ignore unfollowed-start(<file>) reason="…", or acknowledge = unfollowed-start(<file>) in kaiactl.ini.',
    sources: ['docs/not-followed.md'],
  },
  'unjudged-node': {
    title:
      'A file starts, or a process of the machine runs, a client or companion that kaiactl does not judge.',
    why: 'Its flags look like those of a node that is judged and mean other things. Its words are told as they are written: bind, port, modules, and whether a container publishes them. Of a process, its listening sockets are told; nothing is sent to it.',
    fix: 'Check who reaches the interface. If it is meant: acknowledge = unjudged-node(<client>) in kaiactl.ini. @any and the names of private modules, as in unjudged-node(reth@any+admin), accept a wider reach: an acknowledgement ends where bind, publishing or modules grow beyond it.',
    sources: ['docs/not-followed.md'],
  },
  'relayed-interface': {
    title:
      'A proxy, a tunnel or a rule forwards to an interface of the node, and it is not known who gets through.',
    why: 'The reach of the interface is that of the relay. Where the file of a proxy is understood, the reach follows its addresses, lists and logins, and the report names it in reachVia. Here it is not, so who reaches the interface is not known. A relay to the IPC socket offers every module.',
    fix: 'Say who reaches it with --assume-reach, such as --assume-reach http=private, or acknowledge = relayed-interface(<program>:<port>) in kaiactl.ini.',
    sources: ['docs/not-followed.md'],
  },
};

/** The ids of all rules, and of the open questions, for completion. */
export const ruleNames: readonly string[] = [...rules.map(({ id }) => id), ...ledgerRules].sort();
