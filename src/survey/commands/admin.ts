/** kaiactl survey admin: requests to a running server, or to a store that no server has open. */
import { resolve } from 'node:path';
import { exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { readText } from '../../input.js';
import { widthOf } from '../../terminal/capabilities.js';
import { confirm, type Question } from '../../terminal/confirm.js';
import { jsonOf } from '../../util/json.js';
import { shellWord } from '../../util/shell-word.js';
import { visible } from '../../util/visible.js';
import type { Overview } from '../server/overview.js';
import { isShared } from '../store/open.js';
import { rotateSecret } from '../store/rotate.js';
import { policyChange } from './admin-policy.js';
import { adminReport } from './admin-report.js';
import { actor, adminServer, type Needs } from './admin-server.js';
import {
  formatAdded,
  formatChanged,
  formatClosed,
  formatExported,
  formatForgotten,
  formatImported,
  formatOpened,
  formatRotated,
} from './admin-texts.js';
import type { AdminAction, AdminOptions } from './options/admin.js';
import { overviewPage } from './overview-page.js';
import { overviewRows, overviewText } from './overview-text.js';
import { keepPrivate } from './secrets.js';
import { expectStore, storeAndSecret } from './store-place.js';
import { wholeNumber } from './values.js';

interface Call {
  get(path: string, query?: Readonly<Record<string, string | undefined>>): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
  readonly options: AdminOptions;
  readonly host: Host;
}

type Answer = { readonly document: unknown; readonly text: string; readonly csv?: string };

interface Action {
  /** What follows the action's name. */
  readonly takes: 'nothing' | 'survey' | 'file' | 'survey or nothing';
  readonly needs?: Needs;
  /** Asked first, unless --yes is given. */
  question?(options: AdminOptions, given: string): Question;
  run(call: Call, given: string): Promise<Answer>;
}

const actions: Readonly<Record<AdminAction, Action>> = {
  list: { takes: 'nothing', run: async ({ get }) => adminReport('list', await get('/surveys')) },
  outcomes: {
    takes: 'nothing',
    needs: { server: true },
    run: async ({ get }) => adminReport('outcomes', await get('/outcomes')),
  },
  status: {
    takes: 'nothing',
    needs: { server: true },
    run: async ({ get }) => adminReport('status', await get('/status')),
  },
  payments: {
    takes: 'nothing',
    async run({ get, options: { status, item, mode, limit, after } }) {
      if (limit !== undefined) wholeNumber(limit, 'limit', 999_999_999);
      return adminReport('payments', await get('/payments', { status, item, mode, limit, after }));
    },
  },
  log: {
    takes: 'survey or nothing',
    run: async ({ get }, given) => adminReport('log', await get('/audit', { survey: given || undefined })),
  },
  add: {
    takes: 'survey',
    async run({ post, options, host }, survey) {
      return formatAdded(await post('/surveys', { survey, ...(await policyChange(options, host)) }));
    },
  },
  set: {
    takes: 'survey',
    async run({ post, options, host }, survey) {
      const change = await policyChange(options, host);
      if (Object.keys(change.policy).length === 0)
        throw new KaiactlError('survey admin set changes nothing', {
          hint: 'Name what it allows: --one-per-user, --scheme, --closes-at, --max-members or --allowlist.',
        });
      return formatChanged(await post('/surveys/policy', { survey, ...change }));
    },
  },
  show: {
    takes: 'survey',
    async run({ get, host }, survey) {
      const document = (await get('/surveys/show', { survey })) as Overview;
      const text = overviewText(document, widthOf(host.stdout, host));
      return { document, text, csv: overviewRows(document) };
    },
  },
  report: {
    takes: 'survey',
    async run({ get, options }, survey) {
      if (!options.html)
        throw new KaiactlError('survey admin report needs --html', {
          hint: 'kaiactl survey admin show prints the same as text, JSON or CSV.',
        });
      const document = (await get('/surveys/show', { survey })) as Overview;
      return { document, text: overviewPage(document) };
    },
  },
  close: {
    takes: 'survey',
    question: (_, survey) => ({
      effect: `This closes survey ${visible(survey, 60)}: nobody can join until it is opened again.`,
      unasked: 'close would refuse all further joins',
      otherwise: 'The survey is as it was.',
    }),
    run: async ({ post, options, host }, survey) =>
      formatClosed(await post('/surveys/close', { survey }), optionWords(options, host)),
  },
  open: {
    takes: 'survey',
    run: async ({ post, options: { notMoved } }, survey) =>
      formatOpened(await post('/surveys/open', { survey, notMoved })),
  },
  export: {
    takes: 'survey',
    run: async ({ get, options: { format } }, survey) =>
      formatExported(await get('/export', { survey, format })),
  },
  import: {
    takes: 'file',
    needs: { newStore: true },
    async run({ post, options, host }, file) {
      const text = await readText(resolve(host.cwd, file), { what: `the survey ${file}`, mib: 512 });
      const document = jsonOf(text);
      if (typeof document !== 'object' || document === null)
        throw new KaiactlError(`${visible(file, 100)} is not JSON`, {
          hint: 'kaiactl survey admin export writes such a file.',
        });
      return formatImported(await post('/import', { document }), optionWords(options, host));
    },
  },
  /** Works on the store itself: a running server would go on with the old secret. */
  'rotate-secret': {
    takes: 'nothing',
    question: ({ dropKeys }) => ({
      effect: dropKeys
        ? 'This drops the keys and every record of a user, for good: closed surveys cannot be opened again.'
        : 'This hashes every recorded user again under a new key, and adds the key to the secret’s file.',
      unasked: 'rotate-secret would change the secret of the store',
      otherwise: 'Nothing was changed.',
    }),
    async run({ options, host }) {
      const { place, path } = await storeAndSecret(options, host);
      expectStore(options, host);
      const by = { at: host.now(), actor: actor(host) };
      return formatRotated(await rotateSecret(place, path, by, options.dropKeys));
    },
  },
  forget: {
    takes: 'survey',
    question({ userId }, survey) {
      if (userId === undefined) throw new KaiactlError('survey admin forget needs --user-id');
      return {
        effect: `This erases the record of a user of survey ${visible(survey, 60)}, for good.`,
        unasked: 'forget would erase a record for good',
        otherwise: 'Nothing was erased.',
      };
    },
    async run({ post, options: { userId, allowRejoin: mayRejoin } }, survey) {
      return formatForgotten(await post('/forget', { survey, userId, mayRejoin }));
    },
  },
};

/** The options that name the server or store, as words to paste; the URL of a store may hold a password. */
function optionWords(
  { store, adminSocket, participantSecretFile }: AdminOptions,
  { platform }: Host,
): string {
  const given = [
    ['--store', store],
    ['--admin-socket', adminSocket],
    ['--participant-secret-file', participantSecretFile],
  ] as const;
  return given
    .flatMap(([name, value]) =>
      value === undefined ? [] : [` ${name} ${isShared(value) ? '<url>' : shellWord(value, platform)}`],
    )
    .join('');
}

/** `survey admin <action> [survey|file]`. @throws {KaiactlError} when there is no server, or it refuses */
export async function runAdmin(
  action: AdminAction,
  given: string | undefined,
  options: AdminOptions,
  host: Host,
): Promise<typeof exit.ok> {
  const { takes, needs = {}, question, run } = actions[action];
  checkGiven(action, takes, given);
  const server = adminServer(options, needs, host);
  const get: Call['get'] = (path, query = {}) => {
    const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return server.ask('GET', given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`);
  };
  const post: Call['post'] = (path, body) => server.ask('POST', path, body);
  try {
    if (question !== undefined) await confirm(question(options, given ?? ''), options.yes, host);
    const { document, text, csv } = await run({ get, post, options, host }, given ?? '');
    const format = options.format ?? (action === 'export' ? 'json' : 'text');
    if (format === 'csv' && csv === undefined)
      throw new KaiactlError(`survey admin ${action} has no CSV form`, { hint: 'Use --format json.' });
    const shown = format === 'json' ? `${JSON.stringify(document)}\n` : format === 'csv' ? csv : text;
    if (action === 'export' && format === 'json') keepPrivate(host);
    await print(host.stdout, shown ?? '');
    return exit.ok;
  } finally {
    await server.close();
  }
}

/** @throws {KaiactlError} when an argument is missing, or too many */
function checkGiven(action: AdminAction, takes: Action['takes'], given: string | undefined): void {
  const command = `survey admin ${action}`;
  if (takes === 'nothing' && given !== undefined) {
    const hint = `Leave it out: kaiactl ${command}`;
    throw new KaiactlError(`${command} takes no argument, but got ${visible(given, 100)}`, { hint });
  }
  if ((takes === 'survey' || takes === 'file') && given === undefined) {
    const example =
      takes === 'file' ? `it: kaiactl ${command} survey.json` : `its address: kaiactl ${command} 0x…`;
    throw new KaiactlError(`${command} needs a ${takes}`, { hint: `Name ${example}` });
  }
}
