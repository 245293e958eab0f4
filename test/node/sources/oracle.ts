/** What real bash makes of confs: one process each, started by one script. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { names } from './generator.js';

/**
 * Variables after the file was read, the exported ones as `NAME!` too; `?`: the status of its last command; `ken`:
 * each call of that command, as `<word><word>`. null: the shell ended while it read it.
 */
export type Outcome = Readonly<Record<string, string>> | null;

/** True when a bash to compare with is there. */
export function hasBash(): boolean {
  try {
    return /version [5-9]/.test(execFileSync('bash', ['--version'], { encoding: 'utf8' }));
  } catch {
    return false;
  }
}

// No [[ here: after a file with a broken one bash 5.2 misreads the next.
const reader = `
exec 3>&1
ken() { local words=; (($#)) && printf -v words '<%s>' "$@"; printf 'ken=%s\\0' "$words"; } >&3
. "$1" >/dev/null 2>&1 </dev/null
__status=$?
set +eufvx
IFS=$' \\t\\n'
printf '?=%s\\0' "$__status"
for __n in ${names.join(' ')}; do
  if [ -n "\${!__n+x}" ]; then printf '%s=%s\\0' "$__n" "\${!__n}"; fi
  case \${!__n@a} in *x*) printf '%s!=\\0' "$__n" ;; esac
done
printf 'done\\0'
`;
const driver = `
cd "$1"
for ((i = 0; i < $2; i++)); do
  env -i HOME=/home/op LC_ALL="$3" bash --noprofile --norc ./reader.sh "./$i.conf" 2>/dev/null
  printf '\\0'
done
`;

/** Sources each conf with bash. */
export function source(confs: readonly Uint8Array[], locale: string): Outcome[] {
  const folder = mkdtempSync(join(tmpdir(), 'kaiactl-bash-'));
  try {
    mkdirSync(join(folder, 'confs'));
    const inner = join(folder, 'confs');
    writeFileSync(join(inner, 'reader.sh'), reader);
    for (const [at, bytes] of confs.entries()) writeFileSync(join(inner, `${at}.conf`), bytes);
    const output = execFileSync('bash', ['-c', driver, 'driver', inner, String(confs.length), locale], {
      encoding: 'latin1',
      maxBuffer: 1 << 28,
      timeout: 240_000,
    });
    return outcomes(output, confs.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function outcomes(output: string, count: number): Outcome[] {
  const records = output.split('\0');
  const list: Outcome[] = [];
  let fields: string[] = [];
  for (const record of records) {
    if (record !== '') {
      fields.push(record);
      continue;
    }
    list.push(fields.at(-1) === 'done' ? outcome(fields.slice(0, -1).map(pair)) : null);
    fields = [];
  }
  return list.slice(0, count);
}

function outcome(pairs: readonly (readonly [string, string])[]): Outcome {
  const calls = pairs.filter(([name]) => name === 'ken').map(([, words]) => words);
  return { ...Object.fromEntries(pairs), ...(calls.length > 0 && { ken: calls.join(' ') }) };
}

/** Bytes back to text, as the reader decodes them. */
function pair(field: string): [string, string] {
  const at = field.indexOf('=');
  return [field.slice(0, at), Buffer.from(field.slice(at + 1), 'latin1').toString('utf8')];
}
