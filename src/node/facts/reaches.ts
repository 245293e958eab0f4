/** Who can reach an interface. */

/** From the fewest to the most. A browser-reachable interface counts as `any`. */
export const reaches = ['ipc', 'loopback', 'private', 'any'] as const;
export type Reach = (typeof reaches)[number];
