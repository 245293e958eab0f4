/** The folder that the files of a report are in, which texts leave out of names. */
import type { Finding } from '../facts/report.js';

/** With a slash at its end; empty if names are written whole. */
export type Folder = string;

/** The deepest folder of all files; empty for one file, and for a folder near the root, such as /etc. */
export function folderOf(files: Iterable<string>): Folder {
  const [first = '', ...others] = new Set(files);
  let folder = first.split('/').slice(0, -1);
  for (const file of others) {
    const parts = file.split('/');
    const end = folder.findIndex((part, at) => part !== parts[at]);
    if (end >= 0) folder = folder.slice(0, end);
  }
  return others.length === 0 || folder.length < 3 ? '' : `${folder.join('/')}/`;
}

export function withoutName(text: string, folder: Folder): string {
  return folder === '' ? text : text.replaceAll(folder, '');
}

/** Its sentences; its places stay whole. */
export function withoutFolder(finding: Finding, folder: Folder): Finding {
  const { message, fix, alternatives = [] } = finding;
  const shorter = (text: string) => withoutName(text, folder);
  return {
    ...finding,
    message: shorter(message),
    fix: shorter(fix),
    alternatives: alternatives.map((one) => ({ ...one, fix: shorter(one.fix) })),
  };
}
