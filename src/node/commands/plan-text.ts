/** `--plan`: what would be sent, for a person. */

import { visible } from '../../util/visible.js';
import type { Planned, Target } from '../probe/index.js';

/** One block a target: endpoint, then its messages; nothing was sent. */
export function planText(plans: readonly { target: Target; messages: readonly Planned[] }[]): string {
  const blocks = plans.map(({ target, messages }) => {
    const endpoints = [...new Set(messages.map(({ endpoint }) => endpoint))];
    const parts = endpoints.map((endpoint) => {
      const lines = messages
        .filter((one) => one.endpoint === endpoint)
        .map(({ message, when }) => `  ${when === null ? message : `${message.padEnd(40)} if ${when}`}`);
      return [visible(endpoint), ...lines].join('\n');
    });
    const reason =
      target.conf !== null && target.conf.state !== 'seen' ? target.conf.detail : 'it opens nothing';
    return parts.length === 0 ? `${visible(target.name)}\n  nothing: ${visible(reason)}` : parts.join('\n');
  });
  return `${blocks.join('\n\n')}\n\nNothing was sent. Each line is one message; [] and {} are its parameters.\n`;
}
