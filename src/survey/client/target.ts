/** Validates the API's base URL and addresses. */
import { getAddress } from 'ethers/address';
import { KaiactlError } from '../../errors.js';
import { visible } from '../../util/visible.js';

/**
 * An http(s) base URL. The path is kept, the query is ignored.
 * @throws {KaiactlError} for anything else (exit 2)
 */
export function parseBaseUrl(text: string | undefined, option: string): URL {
  if (text === undefined || text === '') {
    throw new KaiactlError(`no ${option.replaceAll('-', ' ').replace('url', 'URL')} given`, {
      hint: `Give --${option}, set KAIACTL_${option.replaceAll('-', '_').toUpperCase()}, or put ${option} in a profile.`,
    });
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new KaiactlError(`--${option} is not an http or https URL`, {
      hint: 'Like https://survey.example.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new KaiactlError(`--${option} contains a user name or password`, {
      hint: 'Leave them out: other users see the command line, and logs keep URLs.',
    });
  }
  return url;
}

/**
 * The address with its checksum. All-lower and all-upper case is accepted without a checksum.
 * @throws {KaiactlError} for anything else (exit 2)
 */
export function parseAddress(text: string, what: string): string {
  const word = text.trim();
  if (!/^0x[0-9a-f]{40}$/i.test(word)) {
    throw new KaiactlError(`${what} is not an address: ${visible(word, 60)}`, {
      hint: 'An address is 0x and 40 hexadecimal digits.',
    });
  }
  try {
    return getAddress(word);
  } catch {
    throw new KaiactlError(`${what} has a wrong checksum: ${word}`, {
      hint: 'A character is wrong, or in the wrong case. An address in lower case is not checked.',
    });
  }
}

/** Whether a URL's traffic stays on this machine or is encrypted. */
export function isPrivateUrl(url: URL): boolean {
  return url.protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}
