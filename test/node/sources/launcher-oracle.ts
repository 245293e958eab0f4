/** An independent replay: the published steps of each launcher translated into a bash script, run by real bash. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Test {
  readonly test: string;
  readonly var?: string;
  readonly vars?: readonly string[];
  readonly values?: readonly string[];
}
interface Step {
  readonly emit?: readonly string[];
  readonly 'strip-blanks'?: string;
  readonly 'refuse-to-start'?: boolean;
  readonly if?: Test;
  readonly then?: readonly Step[];
  readonly else?: readonly Step[];
}

const facts = new URL('../../../../shared/facts/kaia-launchers.json', import.meta.url);

/** The steps by `launcher/package`; null where the facts are not at hand. */
export function publishedSteps(): Readonly<Record<string, readonly Step[]>> | null {
  if (!existsSync(facts)) return null;
  return (JSON.parse(readFileSync(facts, 'utf8')) as { launchers: Record<string, readonly Step[]> })
    .launchers;
}

/** The script of one launcher: prints each word of its command line and a NUL, then `done`. */
export function script(name: string, steps: readonly Step[]): string {
  const checked = name.endsWith('/tar') && !name.startsWith('kbnd');
  return [
    name.endsWith('/tar') ? 'BIN=/opt/bin CMD_HOME=/opt CONF=/opt/conf STOP_TIMEOUT=10' : '',
    'source "$1" >/dev/null',
    checked ? 'if [ -z $DATA_DIR ]; then exit 1; fi' : '',
    'set -f',
    'OPTIONS=""',
    ...steps.map(bash),
    'for word in $OPTIONS; do printf "%s\\0" "$word"; done',
    'printf "done\\0"',
  ].join('\n');
}

function bash(step: Step): string {
  if (step.emit !== undefined) return `OPTIONS="$OPTIONS ${step.emit.join(' ')}"`;
  const strip = step['strip-blanks'];
  if (strip !== undefined) return `${strip}=\`echo $${strip} | tr -d "[:space:]"\``;
  if (step['refuse-to-start'] === true) return 'exit 1';
  if (step.if === undefined) throw new Error(`unknown step ${JSON.stringify(step)}`);
  const no = step.else === undefined ? [] : ['else', ...step.else.map(bash)];
  return [`if ${condition(step.if)}; then`, ...(step.then ?? []).map(bash), ...no, 'fi'].join('\n');
}

function condition({ test, var: one = '', vars = [], values = [] }: Test): string {
  switch (test) {
    case 'arithmetic-1':
      return `[[ ! -z $${one} ]] && [[ $${one} -eq 1 ]]`;
    case 'either-arithmetic-1':
      return `[[ ${vars.map((name) => `(! -z $${name} && $${name} -eq 1)`).join(' || ')} ]]`;
    case 'non-empty':
      return `[[ ! -z $${one} ]]`;
    case 'single-word':
      return `[ ! -z $${one} ]`;
    case 'empty':
      return `[[ -z $${one} ]]`;
    case 'one-of':
      return `[[ ${values.map((value) => `$${one} == "${value}"`).join(' || ')} ]]`;
    default:
      throw new Error(`unknown test ${test}`);
  }
}

/** The words each conf gives its launcher; null: the launcher refuses to start. */
export function printed(
  cases: readonly {
    readonly name: string;
    readonly conf: string;
    readonly env?: Readonly<Record<string, string>>;
  }[],
  steps: Readonly<Record<string, readonly Step[]>>,
): (string[] | null)[] {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-launchers-'));
  try {
    const runs = cases.map(({ name, conf, env = {} }, at) => {
      writeFileSync(join(folder, `${at}.sh`), script(name, steps[name] ?? []));
      writeFileSync(join(folder, `${at}.conf`), conf);
      const set = Object.entries(env).map(([key, value]) => `'${key}=${value.replaceAll("'", "'\\''")}'`);
      return `env -i ${set.join(' ')} bash --noprofile --norc ./${at}.sh ./${at}.conf 2>/dev/null; printf '\\0'`;
    });
    writeFileSync(join(folder, 'all.sh'), runs.join('\n'));
    const output = execFileSync('bash', ['./all.sh'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      timeout: 400_000,
    });
    return split(output, cases.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function split(output: string, count: number): (string[] | null)[] {
  const list: (string[] | null)[] = [];
  let words: string[] = [];
  for (const record of output.split('\0')) {
    if (record !== '') words.push(record);
    else {
      list.push(words.at(-1) === 'done' ? words.slice(0, -1) : null);
      words = [];
    }
  }
  return list.slice(0, count);
}
