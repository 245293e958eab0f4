/** The products that protect a node. Imports nothing: the command line lists them. */
export const products = ['nginx', 'njs', 'caddy', 'nftables', 'systemd', 'compose'] as const;
/** `njs` is the script that the nginx snippet imports. */
export type Product = (typeof products)[number];
