/** What makes one file several nodes: conditions, mixed line ends, words from elsewhere, and placeholders of templates. */
import type { Random } from '../sources/random.js';

const tests = [
  '[ -n "$OPTS" ]',
  '[ "$NETWORK" = mainnet ]',
  '[[ $RPC_ENABLE -eq 1 ]]',
  '[ -f /etc/kend.local ]',
];

/** Some lines of a conf inside a condition, some of these with an `else`. */
function conditional(random: Random, text: string): string {
  const lines = text.split('\n');
  const from = random.below(lines.length);
  const length = 1 + random.below(3);
  const chosen = lines.slice(from, from + length).map((line) => `  ${line}`);
  const other = random.chance(0.4)
    ? ['else', `  RPC_API="${random.pick(['klay', 'klay,debug', 'admin'])}"`]
    : [];
  // A quote or a continuation that is open there would hold the words of the condition.
  if (
    chosen.some((line) => /[\\'`]$/.test(line) || (line.split('"').length + line.split("'").length) % 2 === 1)
  )
    return text;
  lines.splice(from, length, `if ${random.pick(tests)}; then`, ...chosen, ...other, 'fi');
  return lines.join('\n');
}

/** Words that something else sets, beside those of the file. */
function fromElsewhere(random: Random, text: string): string {
  const own = random.pick(['ADDITIONAL="$OPTS"', 'ADDITIONAL="$ADDITIONAL $OPTS"', 'RPC_API="$OPTS"']);
  return `${random.chance(0.5) ? 'OPTS="--rpcapi klay,debug"\n' : ''}${text.replace(/\n?$/, '\n')}${own}\n`;
}

/** A value as a template fills it in. */
function templated(random: Random, text: string): string {
  const hole = random.pick(['{{ node_value }}', "{{ value | default('*') }}", '${NODE_VALUE:-eth}']);
  return text.replace(/(?<=[=:] ?"?)(?:0\.0\.0\.0|127\.0\.0\.1|\*|klay|eth)(?=[",\n])/, hole);
}

function mixedEnds(random: Random, text: string): string {
  return text.replaceAll(/(?<!\r)\n/g, () => (random.chance(0.4) ? '\r\n' : '\n'));
}

/** The file with one to four of these; conditions and words from elsewhere are for confs alone. */
export function inWorlds(random: Random, bytes: Buffer | string, isConf: boolean): string {
  const changes = isConf ? [conditional, fromElsewhere, templated, mixedEnds] : [templated, mixedEnds];
  const first = random.pick(changes);
  return changes
    .filter((change) => change === first || random.chance(0.4))
    .reduce((text, change) => change(random, text), String(bytes));
}
