/** `--plan`: the requests of an audit, without sending them. */

import { wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import { joinWords } from '../../util/words.js';
import type { Planned, Target } from '../probe/index.js';

export interface TargetPlan {
  readonly target: string;
  /** In order of requests. */
  readonly endpoints: readonly {
    readonly endpoint: string;
    readonly messages: readonly Omit<Planned, 'endpoint'>[];
  }[];
  /** Why there are no requests; null if there are some. */
  readonly reason: string | null;
}

export function planTarget(target: Target, messages: readonly Planned[]): TargetPlan {
  const names = [...new Set(messages.map(({ endpoint }) => endpoint))];
  const endpoints = names.map((name) => ({
    endpoint: name,
    messages: messages
      .filter(({ endpoint }) => endpoint === name)
      .map(({ endpoint: _, ...message }) => message),
  }));
  const nothing =
    target.conf !== null && target.conf.state !== 'seen'
      ? target.conf.detail
      : target.open === undefined
        ? 'it opens no interface'
        : 'it is not judged';
  return { target: target.name, endpoints, reason: endpoints.length === 0 ? nothing : null };
}

/** @param logging - kinds of node that log a warning for each existence probe */
export function planText(plans: readonly TargetPlan[], logging: readonly string[], width: number): string {
  const blocks = plans.map(({ target, endpoints, reason }) =>
    reason === null
      ? endpoints.map((one) => endpointText(one, width)).join('\n')
      : `${visible(target)}\n  nothing: ${visible(reason)}`,
  );
  const probes = plans.some(({ endpoints }) =>
    endpoints.some(({ messages }) => messages.some(({ afterRefusal }) => afterRefusal)),
  );
  const note = [
    'Nothing was sent. Each line is one message; [] and {} are its parameters.',
    ...(probes ? [`A node of ${joinWords(logging)} logs a warning for each message with {}.`] : []),
  ].join(' ');
  return `${[...blocks, wrap(note, width, 0, 0)].join('\n\n')}\n`;
}

/** Puts the condition beside the message, or below it if the line is too long. */
function endpointText({ endpoint, messages }: TargetPlan['endpoints'][number], width: number): string {
  const lines = messages.flatMap(({ message, when, afterRefusal }, at) => {
    const first = afterRefusal && messages[at - 1]?.afterRefusal === false;
    const indent = afterRefusal ? '    ' : '  ';
    const said = `${indent}${message}`;
    const beside = `${said.padEnd(42)} if ${when}`;
    return [
      ...(first ? [wrap('if rpc_modules {} is refused with -32602:', width, 2, 2)] : []),
      ...(when === null
        ? [said]
        : beside.length <= width
          ? [beside]
          : [said, wrap(`if ${when}`, width, indent.length + 2, indent.length + 2)]),
    ];
  });
  return [visible(endpoint), ...lines].join('\n');
}
