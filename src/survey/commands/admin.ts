/** kaiactl survey admin: requests to a running server, or to a store that no server has open. */
import { resolve } from 'node:path';
import { exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { readText } from '../../input.js';
import { widthOf } from '../../terminal/capabilities.js';
import { jsonOf } from '../../util/json.js';
import { visible } from '../../util/visible.js';
import type { Overview } from '../server/overview.js';
import { policyChange } from './admin-policy.js';
import { adminReport, type Report } from './admin-report.js';
import { rotateSecret } from './admin-rotate.js';
import { type AdminServer, actor, adminServer, type Needs } from './admin-server.js';
import { added, changed, closed, exported, forgotten, imported, opened, rotated } from './admin-texts.js';
import { confirm } from './confirm.js';
import type { AdminAction, AdminOptions } from './options/admin.js';
import { overviewPage } from './overview-page.js';
import { overviewRows, overviewText } from './overview-text.js';

/** An action at work. */
interface Call {
  readonly server: AdminServer;
  readonly options: AdminOptions;
  readonly host: Host;
}

/** What an action prints: a document for JSON, or its rendering. */
type Answer = { readonly document: unknown; readonly text: string; readonly csv?: string };

interface Action {
  /** What follows the action's name. */
  readonly takes: 'nothing' | 'survey' | 'file' | 'survey or nothing';
  readonly needs?: Needs;
  run(call: Call, given: string): Promise<Answer>;
}

const report = (name: Report, path: string, needs: Needs = {}): Action => ({
  ...{ takes: 'nothing', needs },
  async run({ server }) {
    return adminReport(name, await server.ask('GET', path));
  },
});

const query = (values: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

const overviewOf = async ({ server }: Call, survey: string) =>
  (await server.ask('GET', `/surveys/show${query({ survey })}`)) as Overview;

const actions: Readonly<Record<AdminAction, Action>> = {
  list: report('list', '/surveys'),
  outcomes: report('outcomes', '/outcomes', { server: true }),
  status: report('status', '/status', { server: true }),
  payments: {
    takes: 'nothing',
    async run({ server, options: { status, item, mode, limit, after } }) {
      if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
        throw new KaiactlError('--limit is not a positive whole number');
      const path = `/payments${query({ status, item, mode, limit, after })}`;
      return adminReport('payments', await server.ask('GET', path));
    },
  },
  log: {
    takes: 'survey or nothing',
    async run({ server }, survey) {
      const path = `/audit${query({ survey: survey === '' ? undefined : survey })}`;
      return adminReport('log', await server.ask('GET', path));
    },
  },
  add: {
    takes: 'survey',
    async run({ server, options, host }, survey) {
      return added(await server.ask('POST', '/surveys', { survey, ...(await policyChange(options, host)) }));
    },
  },
  set: {
    takes: 'survey',
    async run({ server, options, host }, survey) {
      const change = await policyChange(options, host);
      if (Object.keys(change.policy).length === 0)
        throw new KaiactlError('survey admin set changes nothing', {
          hint: 'Name what it allows: --one-per-user, --require-scheme, --closes-at, --max-members or --allowlist.',
        });
      return changed(await server.ask('POST', '/surveys/policy', { survey, ...change }));
    },
  },
  show: {
    takes: 'survey',
    async run(call, survey) {
      const document = await overviewOf(call, survey);
      const text = overviewText(document, widthOf(call.host.stdout, call.host));
      return { document, text, csv: overviewRows(document) };
    },
  },
  report: {
    takes: 'survey',
    async run(call, survey) {
      if (!call.options.html)
        throw new KaiactlError('survey admin report needs --html', {
          hint: 'kaiactl survey admin show prints the same as text, JSON or CSV.',
        });
      const document = await overviewOf(call, survey);
      return { document, text: overviewPage(document) };
    },
  },
  close: {
    takes: 'survey',
    async run({ server, options, host }, survey) {
      const question = {
        effect: `This closes survey ${visible(survey, 60)}: nobody can join until it is opened again.`,
        unasked: 'close would refuse all further joins',
        otherwise: 'The survey is as it was.',
      };
      await confirm(question, options.yes, host);
      return closed(await server.ask('POST', '/surveys/close', { survey }));
    },
  },
  open: {
    takes: 'survey',
    async run({ server }, survey) {
      return opened(await server.ask('POST', '/surveys/open', { survey }));
    },
  },
  export: {
    takes: 'survey',
    async run({ server }, survey) {
      return exported(await server.ask('GET', `/export${query({ survey })}`));
    },
  },
  import: {
    ...{ takes: 'file', needs: { newStore: true } },
    async run({ server, host }, file) {
      const text = await readText(resolve(host.cwd, file), { what: `the survey ${file}`, mib: 512 });
      const document = jsonOf(text);
      if (typeof document !== 'object' || document === null)
        throw new KaiactlError(`${visible(file, 100)} is not JSON`, {
          hint: 'kaiactl survey admin export writes such a file.',
        });
      return imported(await server.ask('POST', '/import', { document }));
    },
  },
  'rotate-secret': { takes: 'nothing', run: (call) => runRotation(call) },
  forget: {
    takes: 'survey',
    async run({ server, options, host }, survey) {
      const { userId, allowRejoin: mayRejoin } = options;
      if (userId === undefined) throw new KaiactlError('survey admin forget needs --user-id');
      const question = {
        effect: `This erases the record of a user of survey ${visible(survey, 60)}, for good.`,
        unasked: 'forget would erase a record for good',
        otherwise: 'Nothing was erased.',
      };
      await confirm(question, options.yes, host);
      return forgotten(await server.ask('POST', '/forget', { survey, userId, mayRejoin }));
    },
  },
};

/** Works on the store itself: a running server would go on with the old secret. */
async function runRotation({ options, host }: Call): Promise<Answer> {
  const question = {
    effect: options.dropKeys
      ? 'This drops the keys and every record of a user, for good: closed surveys cannot be opened again.'
      : 'This hashes every recorded user again under a new key, and adds the key to the secret’s file.',
    unasked: 'rotate-secret would change the secret of the store',
    otherwise: 'Nothing was changed.',
  };
  await confirm(question, options.yes, host);
  return rotated(await rotateSecret(options, actor(host), host));
}

/** `survey admin <action> [survey|file]`. @throws {KaiactlError} when there is no server, or it refuses */
export async function runAdmin(
  action: AdminAction,
  given: string | undefined,
  options: AdminOptions,
  host: Host,
): Promise<typeof exit.ok> {
  const { takes, needs = {}, run } = actions[action];
  checkGiven(action, takes, given);
  const server = adminServer(options, needs, host);
  try {
    const { document, text, csv } = await run({ server, options, host }, given ?? '');
    const format = options.format ?? (action === 'export' ? 'json' : 'text');
    if (format === 'csv' && csv === undefined)
      throw new KaiactlError(`survey admin ${action} has no CSV form`, { hint: 'Use --format json.' });
    await print(
      host.stdout,
      format === 'json' ? `${JSON.stringify(document)}\n` : ((format === 'csv' ? csv : text) ?? ''),
    );
    return exit.ok;
  } finally {
    await server.close();
  }
}

/** @throws {KaiactlError} when an argument is missing, or too many */
function checkGiven(action: AdminAction, takes: Action['takes'], given: string | undefined): void {
  if (takes === 'nothing' && given !== undefined) {
    throw new KaiactlError(`survey admin ${action} takes no argument, but got ${visible(given, 100)}`, {
      hint: `Leave it out: kaiactl survey admin ${action}`,
    });
  }
  if ((takes === 'survey' || takes === 'file') && given === undefined) {
    throw new KaiactlError(`survey admin ${action} needs a ${takes}`, {
      hint:
        takes === 'file'
          ? `Name it: kaiactl survey admin ${action} survey.json`
          : `Name its address: kaiactl survey admin ${action} 0x…`,
    });
  }
}
