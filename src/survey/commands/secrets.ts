/** Secrets of the survey verbs: from files, from stdin, from the environment; never from arguments. */
import { resolve } from 'node:path';
import { KaiactlError } from '../../errors.js';
import type { Host } from '../../host.js';
import { shellWord } from '../../util/shell-word.js';
import { readSecret } from './secret-file.js';
import type { Session } from './session.js';

/**
 * key: a file others may read is refused, as ssh does; lesser: it is only pointed out (it is encrypted, or soon
 * expires); none: no matter. What a file may hold either way decides by its text.
 */
export type Worth = 'key' | 'lesser' | 'none';

export interface Secrets {
  /**
   * The text of a file, or of stdin for `-`.
   * @throws {KaiactlError} when it cannot be read, is empty, or others may read a key (exit 2)
   */
  read(file: string, what: string, worth: Worth | ((text: string) => Worth)): Promise<string>;
}

/** Reads each secret once; stdin can be only one of them. */
export function secrets(host: Host, session: Session): Secrets {
  let stdinFor: string | null = null;
  const known = new Map<string, string>();
  const remembered = (file: string, what: string, text: string): string => {
    known.set(`${what} ${file}`, text);
    return text;
  };
  const judge = async (weight: Worth, file: string, what: string): Promise<void> => {
    const hint = `chmod 600 ${shellWord(file)}`;
    switch (weight) {
      case 'key':
        throw new KaiactlError(`${what} in ${file} can be read by other users; it is not used`, { hint });
      case 'lesser':
        return session.say(`warning: ${what} in ${file} can be read by other users; ${hint}`);
      case 'none':
    }
  };
  return {
    async read(file, what, worth) {
      const before = known.get(`${what} ${file}`);
      if (before !== undefined) return before;
      if (file === '-') {
        if (stdinFor !== null) {
          throw new KaiactlError(`stdin cannot be both ${stdinFor} and ${what}`, {
            hint: 'Put one in a file.',
          });
        }
        stdinFor = what;
        return remembered(file, what, await fromStdin(host, what));
      }
      const path = resolve(host.cwd, file);
      const { text, shared } = readSecret(path, what);
      const weight = typeof worth === 'string' ? worth : worth(text);
      if (shared && host.platform !== 'win32') await judge(weight, file, what);
      return remembered(file, what, text);
    },
  };
}

const maxStdin = 1 << 16;

async function fromStdin(host: Host, what: string): Promise<string> {
  let text = '';
  for await (const chunk of host.stdin) {
    text += String(chunk);
    if (text.length > maxStdin) throw new KaiactlError(`stdin is too long to be ${what}`);
  }
  if (text.trim() === '') throw new KaiactlError(`stdin is empty; ${what} was to come from it`);
  return text.trim();
}
