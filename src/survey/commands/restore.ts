/** `kaiactl survey restore`: what happens to decisions that a restored store lacks. */
import { type ExitCode, exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { field } from '../../util/json.js';
import { visible } from '../../util/visible.js';
import { count } from '../../util/words.js';
import { Refused } from '../protocol/refused.js';
import { type Decision, decisionsPath, lostDecisions, sentenceOf } from '../store/decisions.js';
import { openStorage, openToCheck } from '../store/open.js';
import { readParticipantSecret } from '../store/participant-secret.js';
import { settleDecisions } from '../store/restore.js';
import { actor } from './admin-server.js';
import type { RestoreOptions } from './options/admin.js';
import { expectStore, storeAndSecret } from './store-place.js';

/** Lists the decisions (exit 1 if there are any), repeats or discards them. @throws {KaiactlError} when a server uses the store */
export async function run(options: RestoreOptions, host: Host): Promise<ExitCode> {
  const { place, path } = await storeAndSecret(options, host);
  expectStore(options, host);
  const { apply, acceptOlder } = options;
  const isListing = !apply && !acceptOlder;
  const secret = readParticipantSecret(path);
  const storage = await (isListing ? openToCheck : openStorage)(place, secret);
  try {
    const lost = await lostDecisions(storage, decisionsPath(path));
    const by = { at: host.now(), actor: actor(host), secret, repeats: apply };
    const settled = isListing
      ? lost.map((decision) => ({ decision, outcome: 'missing' }))
      : lost.length === 0
        ? []
        : (await settleDecisions(storage, lost, by)).map(({ decision, problem }) => ({
            decision,
            outcome: acceptOlder ? 'discarded' : outcomeOf(decision, problem),
          }));
    const lines = settled.map(({ decision, outcome }) => `${visible(sentenceOf(decision), 200)}: ${outcome}`);
    const text = lines.length === 0 ? ['no decision is missing'] : lines;
    const document = settled.map(({ decision, outcome }) => {
      const { entry, at, action, survey, actor } = decision;
      return { entry, at, action, survey, actor, outcome };
    });
    const shown = options.format === 'json' ? [JSON.stringify({ decisions: document })] : text;
    await print(host.stdout, shown.map((line) => `${line}\n`).join(''));
    if (isListing && lost.length > 0 && !options.quiet)
      await print(
        host.stderr,
        `${count(lost.length, 'decision')} missing: --apply repeats, --accept-older discards\n`,
      );
    return isListing && lost.length > 0 ? exit.failed : exit.ok;
  } catch (error) {
    if (error instanceof Refused) throw new KaiactlError(error.sentence);
    throw error;
  } finally {
    await storage.close();
  }
}

function outcomeOf({ detail }: Decision, problem: string | null): string {
  if (problem !== null) return `not repeated, because ${problem}`;
  return Number(field(detail, 'listed')) > 0
    ? 'repeated; its allowlist is empty: give it again with admin set'
    : 'repeated';
}
