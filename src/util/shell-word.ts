/** A file name as a shell word for a command to paste, in single quotes if it needs them. */
export function shellWord(path: string): string {
  return shellQuoted(path.startsWith('-') ? `./${path}` : path);
}

/** A word of a command line to paste, in single quotes if it needs them. */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
