/** A file's name as a word of a command to paste: bare where no shell reads anything in it, else in single quotes. */
export function shellWord(path: string): string {
  const word = path.startsWith('-') ? `./${path}` : path;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
