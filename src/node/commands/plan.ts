/** `--plan`: what would be sent, to whom; nothing was. */

import { wrap } from '../../terminal/wrap.js';
import { visible } from '../../util/visible.js';
import type { Planned, Target } from '../probe/index.js';

/** What one target would be sent. */
export interface TargetPlan {
  readonly target: string;
  /** In the order they would be asked. */
  readonly endpoints: readonly {
    readonly endpoint: string;
    readonly messages: readonly Omit<Planned, 'endpoint'>[];
  }[];
  /** Why there is nothing to send; null where there is. */
  readonly reason: string | null;
}

/** The messages of one target, by endpoint. */
export function planned(target: Target, messages: readonly Planned[]): TargetPlan {
  const names = [...new Set(messages.map(({ endpoint }) => endpoint))];
  const endpoints = names.map((name) => ({
    endpoint: name,
    messages: messages
      .filter(({ endpoint }) => endpoint === name)
      .map(({ endpoint: _, ...message }) => message),
  }));
  const unread = target.conf !== null && target.conf.state !== 'seen';
  const nothing = unread ? target.conf.detail : 'it opens nothing';
  return { target: target.name, endpoints, reason: endpoints.length === 0 ? nothing : null };
}

/** One JSON document. */
export function planJson(plans: readonly TargetPlan[]): string {
  return `${JSON.stringify({ plan: plans }, null, 2)}\n`;
}

/** For a person: endpoint, then its messages. */
export function planText(plans: readonly TargetPlan[], width: number): string {
  const blocks = plans.map(({ target, endpoints, reason }) =>
    reason === null
      ? endpoints.map((one) => endpointText(one, width)).join('\n')
      : `${visible(target)}\n  nothing: ${visible(reason)}`,
  );
  const told = 'Nothing was sent. Each line is one message; [] and {} are its parameters.';
  return `${[...blocks, wrap(told, width, 0, 0)].join('\n\n')}\n`;
}

/** The condition stands beside the message, or where that is too long for the width below it. */
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
