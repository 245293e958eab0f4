/** Addresses of the documents that rules cite. */

/** A file of kaiachain/kaia at the newest release that the rules were checked against. */
export const kaia = (path: string): string => `https://github.com/kaiachain/kaia/blob/v2.2.1/${path}`;

/** A file of ethereum/go-ethereum at the release that the rules were checked against. */
export const geth = (path: string): string => `https://github.com/ethereum/go-ethereum/blob/v1.17.8/${path}`;

/** The scripts that read a conf: those of the tar packages and of the RPM packages. */
export const launchers = [kaia('build/packaging/linux/bin/kend'), kaia('build/rpm/etc/init.d/kend')];

/** A section of the bash manual. */
export const bash = (section: string): string =>
  `https://www.gnu.org/software/bash/manual/html_node/${section}.html`;

/** A Linux manual page. */
export const linux = (page: string): string => `https://man7.org/linux/man-pages/${page}.html`;

/** A section of an RFC. */
export const rfc = (number: number, section: string): string =>
  `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`;
