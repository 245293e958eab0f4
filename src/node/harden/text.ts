/** Comments and sentences that snippets share. */
import { wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import type { Endpoint } from './endpoint.js';
import type { Plan } from './plan.js';

/** Whether an interface can be put behind a proxy. */
export function needsProxy(plan: Plan): boolean {
  return plan.http !== null || plan.ws !== null || passesMetrics(plan);
}

/** Whether the monitoring subnet reads the metrics through the proxy. */
function passesMetrics({ metrics, monitoring }: Plan): boolean {
  return metrics !== null && monitoring.length > 0;
}

/** What the settings leave undetermined: a sentence each. */
export function assumptions({ undetermined }: Plan): string[] {
  return undetermined.map((one) => `Undetermined: ${one}.`);
}

/** What is undetermined, and what else can reach the node: a sentence each. */
export function warnings(plan: Plan): string[] {
  const { http, ws } = plan;
  return [
    ...assumptions(plan),
    ...[http, ws].flatMap((one) => one?.bypass ?? []).map((one) => `Still open: ${one}`),
  ];
}

/** The limit of a proxy for WebSocket: a sentence. */
const unread =
  'The proxy does not inspect its messages, so it forwards signing methods too: unlock no account on this node.';

/** Sentences as comments of a product. */
type Note = (...sentences: readonly string[]) => string[];

/** What a proxy does with ws: these lines, or the reason why it forwards nothing. */
export function socketBlock(ws: Endpoint, note: Note, lines: readonly string[]): string[] {
  return ws.obstacles.length > 0
    ? note(...withheld(ws))
    : [...note(`${describeFilter(ws)} ${unread}`), ...lines];
}

/** What a proxy does with the metrics: these lines where the monitoring subnet reads them. */
export function metricsBlock(plan: Plan, note: Note, lines: readonly string[]): string[] {
  return [...note(...metricsNote(plan)), ...(passesMetrics(plan) ? lines : [])];
}

/** The modules of an interface that a proxy forwards, and those it blocks: a sentence. */
export function describeFilter({ kind, allowed, blocked }: Endpoint): string {
  const rest = blocked.length === 0 ? '' : ` Blocked: ${blocked.join(', ')}.`;
  return `Forwarded modules of ${kind}: ${allowed.join(', ')}.${rest}`;
}

/** Why the proxy does not forward ws: sentences. */
function withheld({ obstacles }: Endpoint): string[] {
  return [
    'ws is not forwarded: a proxy cannot inspect its messages, so every module it offers must be safe to forward.',
    ...obstacles.map((one) => `To forward it: ${one}`),
  ];
}

/** A call that shows that a proxy forwards and filters: sentences and commands. */
export function proofOf({ allowed }: Endpoint, host: string): string[] {
  const method = allowed.includes('eth') ? 'eth_blockNumber' : 'rpc_modules';
  return [
    'The call returns a result; with admin_nodeInfo as the method, an error of the proxy:',
    `$ call='{"jsonrpc":"2.0","id":1,"method":"${method}","params":[]}'`,
    `$ curl -sH content-type:application/json -d "$call" http://${host}/`,
  ];
}

/** How metrics are forwarded, and why not the whole port: a sentence. */
function metricsNote({ metrics, monitoring }: Plan): string[] {
  if (metrics === null) return [];
  const port = `Port ${metrics.port} also serves the profiler and is open to every address: close it with --for nftables.`;
  return monitoring.length === 0
    ? [
        `${port} To forward metrics to your monitoring, name its subnet, for example: --monitoring 10.20.0.0/16.`,
      ]
    : [`Only metrics are forwarded, and only to the monitoring subnet. ${port}`];
}

/** Sentences for a node that opens neither http nor ws. */
export function noProxy(plan: Plan): string[] {
  return [
    `${plan.source} opens neither http nor ws: no proxy is needed.`,
    ...warnings(plan),
    ...metricsNote(plan),
  ];
}

const columns = 80;

/** Sentences as comment lines. A sentence that starts with $ is a command and is not wrapped. */
export function comment(sentences: readonly string[], { indent = '', mark = '#' } = {}): string[] {
  const room = columns - indent.length - mark.length - 1;
  return (
    sentences
      .flatMap((sentence) =>
        sentence.startsWith('$ ') ? [`  ${inert(sentence)}`] : wrap(inert(sentence), room, 0, 0).split('\n'),
      )
      // A backslash at the end would join the next line.
      .map((line) => `${indent}${mark} ${line}`.trimEnd().replace(/\\$/, '\\…'))
  );
}

/** Text from a conf must not end the comment: no control characters and no {$VARIABLE} of a Caddyfile. */
function inert(text: string): string {
  return visible(text, 1000).replaceAll('{$', '{ $');
}

/** A file of blocks, separated by empty lines. */
export function file(...blocks: readonly (readonly string[])[]): string {
  const kept = blocks.filter((lines) => lines.length > 0);
  return `${kept.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
