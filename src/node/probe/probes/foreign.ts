/** A stranger's name. It is reserved and belongs to nobody, and no node is configured for it (RFC 2606). */
export const foreignHost = 'kaiactl.invalid';
/** The origin of a page on that name. */
export const foreignOrigin = `https://${foreignHost}`;
