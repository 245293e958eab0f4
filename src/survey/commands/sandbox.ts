/** kaiactl survey serve --sandbox: a temporary server with all it needs to try the survey commands. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exit, KaiactlError } from '../../errors.js';
import { type Host, print } from '../../host.js';
import { shellWord } from '../../util/shell-word.js';
import { untilSignal } from '../../util/until-aborted.js';
import type { Sandbox } from '../server/sandbox.js';
import { sandboxChannel, sandboxCredentials, sandboxUser, startSandbox } from '../server/sandbox.js';
import type { Running, ServeSettings } from '../server/serve.js';
import { openStorage } from '../store/open.js';
import type { ServeOptions } from './options/serve.js';
import { announce, baseSettings } from './serve-base.js';
import { portalSettings } from './serve-upstreams.js';
import { isLoopback } from './values.js';

/** The sandbox's survey; it is on no chain. */
const sandboxSurvey = '0x5a9db0C5a41A3fb1c5D1C46d8f4E25a4B7fe1e57';
const issuerName = 'https://sandbox.invalid';

export async function runSandbox(
  options: ServeOptions,
  host: Host,
  serve: (settings: ServeSettings) => Promise<Running>,
  signal: AbortSignal,
): Promise<typeof exit.ok> {
  if (!isLoopback(options.host))
    throw new KaiactlError(`--sandbox serves loopback only, not ${options.host}`);
  if (options.store !== undefined)
    throw new KaiactlError('--sandbox keeps nothing: it does not use --store', {
      hint: 'Leave --store out to try the API, or --sandbox to serve the store.',
    });
  const sandbox = await startSandbox(issuerName);
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-sandbox-'));
  try {
    const running = await serve(sandboxSettings(options, host, sandbox));
    const write = (name: string, text: string) =>
      writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 });
    write('token', await sandbox.issuer.issue(sandboxUser, { expiresIn: '12h' }));
    write('wallet', `0x${randomBytes(32).toString('hex')}`);
    await announce(running, options, host);
    if (!options.quiet) await print(host.stderr, `platform and portal stand-ins at ${sandbox.url}\n`);
    if (options.format === 'text') await print(host.stdout, commandsToTry(running, folder, host.platform));
    await untilSignal(signal);
    await running.close();
    return exit.ok;
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const unused = { chain: null, adminSocket: null, decisions: null, tls: null };

function sandboxSettings(options: ServeOptions, host: Host, sandbox: Sandbox) {
  const timeoutMs = 5000;
  const secret = randomBytes(32);
  return {
    ...baseSettings(options, host),
    openStorage: () => openStorage(':memory:', secret),
    secret,
    ...unused,
    live: { secret: sandboxCredentials.clientSecret, items: null, testPayments: true },
    surveys: [sandboxSurvey],
    tokens: {
      channelId: sandboxChannel,
      issuer: issuerName,
      jwksUrl: `${sandbox.url}/certs`,
      timeoutMs,
      channelSecret: null,
      verifyUrl: null,
      accessVerifyUrl: `${sandbox.url}/none`,
      profileUrl: `${sandbox.url}/none`,
    },
    portal: (url: string) =>
      portalSettings(url, {
        ...sandboxCredentials,
        url: sandbox.url,
        callbackField: options.callbackField,
        timeoutMs,
      }),
  };
}

/** For a POSIX shell; on Windows on one line each, which PowerShell and cmd both read. */
function commandsToTry({ url }: Running, folder: string, platform: NodeJS.Platform): string {
  const file = (name: string) => shellWord(join(folder, name), platform);
  const commitment = BigInt(`0x${randomBytes(31).toString('hex')}`);
  const buyer = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
  const text = `
A sandbox, not for production: groups are in memory, tokens and payments are
fake, and everything is gone when this process ends. In another terminal:

  kaiactl survey members ${sandboxSurvey} \\
    --api-url ${url}

  kaiactl survey join ${sandboxSurvey} \\
    --api-url ${url} --key-file \\
    ${file('wallet')} --id-token-file \\
    ${file('token')} --commitment \\
    ${commitment}

  kaiactl survey pay --api-url ${url} --buyer-address \\
    ${buyer} --item-identifier sticker \\
    --name Sticker --image-url https://example.com/sticker.png --price 1

`;
  return platform === 'win32' ? text.replaceAll(/ \\\n +/g, ' ') : text;
}
