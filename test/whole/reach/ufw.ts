/** Generated scripts that set up ufw on the machine of a node. */
import { type Draft, disjoint } from './draft.js';

export function addUfw(draft: Draft): void {
  const { random } = draft;
  draft.firewall = 'ufw';
  const all = [...new Set([...draft.ports, ...draft.services, ...draft.published].map(({ port }) => port))];
  const ports = all.filter((port) => port !== 3000 && random.chance(0.65));
  const isDropping = random.chance(0.7);
  const rules = ports.flatMap((port) => {
    const to = `to any port ${port}${random.chance(0.8) ? ' proto tcp' : ''}`;
    const from = random.chance(0.55) ? disjoint(draft.admitted()) : [];
    const allowed = from.map((one) => `ufw allow from ${one} ${to}`);
    if (isDropping) return from.length > 0 ? allowed : [`ufw allow ${port}${random.pick(['', '/tcp'])}`];
    return [...allowed, `ufw deny ${random.pick([`${port}`, `${port}/tcp`, `from any ${to}`])}`];
  });
  const lines = [
    ...['#!/bin/sh', 'ufw --force reset', `ufw default ${isDropping ? 'deny' : 'allow'} incoming`],
    ...['ufw default allow outgoing', ...(random.chance(0.5) ? ['ufw allow 22/tcp'] : []), ...rules],
    'ufw --force enable',
  ];
  draft.write('/srv/ufw.sh', random.pick(['ufw.sh', 'firewall.sh']), `${lines.join('\n')}\n`);
}

/** The same commands with refusals in place of drops. */
export const refusingUfw = (text: string) => text.replaceAll(/^ufw deny /gm, 'ufw reject ');
