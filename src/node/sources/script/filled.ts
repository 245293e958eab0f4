/** Files that programs fill from elsewhere: from a server, an archive or an encrypted file. */

/** The programs, as a pattern; and a path of Augeas, `/files/etc/x.conf/key`, where it sets a key of a file. */
export const fillers =
  '/files(?=[/$])[^\\s"\']*|(?:bsd)?tar|unzip|7z[az]?|cpio|curl|wget|scp|rsync|aws|gcloud|gsutil|rclone|(?:docker|podman|kubectl|oc)[ \\t]+cp|[\\w.-]+(?=[ \\t](?:[^\\n|;&]{0,200}[ \\t])?--?o)';

const unpacks =
  /^(?:(?:bsd)?tar (?:[a-zA-Z]*x|(?:.* )?-(?:[a-zA-Z]*x|-extract |-get ))|unzip |7z[az]? [xe] |cpio (?:.* )?-(?:[a-z]*i|-extract))/;
const copies =
  /^(?:scp|rsync|(?:aws s3|gcloud storage|gsutil(?: -m)?|rclone|docker|podman|kubectl|oc) (?:cp|mv|copy|copyto)) /;
/** A URL, or a path of another machine or of a container. */
const remote = /^[\w.@-]+:/;
const archive = /\.(?:t?gz|zip|7z|tar|cpio|t?bz2|t?xz|zst)$/;

/** The paths that the words of a command write, whose texts are not known; none of an archive whose members are not named. */
export function filledBy(given: readonly string[]): string[] {
  const command = given.join(' ');
  if (command.startsWith('/files'))
    return command.split('/').map((_, at, parts) => `/${parts.slice(2, at + 1).join('/')}`);
  const words = given.slice(1).flatMap((word) => (/^--[\w-]+=/.test(word) ? word.split(/=(.*)/) : word));
  const files = words.filter((word) => /^(?!-).*\W/.test(word) && !archive.test(word));
  if (unpacks.test(command)) return files;
  const last = words.at(-1) ?? '';
  const names = files.flatMap((word) => word.split('?')[0]?.split(/[/:]/).at(-1) || []);
  if (copies.test(command)) {
    if (remote.test(last)) return [];
    return /^\.{1,2}$|\/$/.test(last) ? names.map((name) => `${last}/${name}`) : [last];
  }
  const [program = ''] = given;
  const option =
    program === 'wget' ? /^(?:--output-document$|-[a-zA-Z]*?O)(.*)/ : /^(?:--?out(?:put)?$|-[a-zA-Z]*?o)(.*)/;
  const at = words.findIndex((word) => option.test(word));
  if (at >= 0) return [option.exec(words[at] ?? '')?.[1] || (words[at + 1] ?? '')];
  return program === 'wget' || words.some((word) => /^(?:-[a-zA-Z]*O|--remote-name)$/.test(word))
    ? names
    : [];
}
