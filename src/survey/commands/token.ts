/** The messaging platform's token of a join, and whose it is. */
import { KaiactlError } from '../../errors.js';
import { type Claims, isUserId } from '../client/id-token.js';
import type { JoinerOptions } from './join-options.js';
import type { JoinTools } from './join-tools.js';

/** The user id of the options or else of the token; @throws {KaiactlError} when neither says (exit 2) */
export function userIdOf(options: JoinerOptions, claims: Claims | null): string {
  const userId = options.userId ?? claims?.sub;
  if (userId === undefined) {
    throw new KaiactlError('the token does not say whose it is (an access token never does)', {
      hint: 'Give --user-id.',
    });
  }
  if (!isUserId(userId))
    throw new KaiactlError('the user id is not one', { hint: 'Like U and 32 hexadecimal digits.' });
  return userId;
}

/** The token of a batch line, a file or the environment; @throws {KaiactlError} when there is none (exit 2) */
export async function tokenOf(options: JoinerOptions, { host, secrets }: JoinTools): Promise<string> {
  const { idTokenFile } = options;
  const token =
    options.idToken ??
    (idTokenFile === undefined
      ? host.env.KAIACTL_ID_TOKEN?.trim()
      : await secrets.read(idTokenFile, 'the id token', 'lesser'));
  if (token === undefined || token === '') {
    throw new KaiactlError('no id token given', {
      hint: 'Give --id-token-file (- is stdin) or set KAIACTL_ID_TOKEN.',
    });
  }
  if (!/^[\x21-\x7e]{1,16384}$/.test(token)) {
    throw new KaiactlError('the id token is not one: it holds blanks or more than one line');
  }
  return token;
}

/** Points out a token whose time is over, and one that is another user's. */
export async function warnAbout(
  claims: Claims | null,
  options: JoinerOptions,
  { host, session }: JoinTools,
): Promise<void> {
  if (claims === null) return;
  if (claims.exp !== null && claims.exp * 1000 <= host.now()) {
    await session.say('warning: the id token has expired; most APIs will refuse it');
  }
  if (options.userId !== undefined && options.userId !== claims.sub) {
    await session.say('warning: the id token is of another user than --user-id; the API goes by the token');
  }
}
