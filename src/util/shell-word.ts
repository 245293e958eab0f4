/** A file name as a shell word for a command to paste; on Windows for PowerShell and cmd, in double quotes if it needs any. */
export function shellWord(path: string, platform: NodeJS.Platform = 'linux'): string {
  if (platform === 'win32') return /^[\w.:\\/-]+$/.test(path) ? path : `"${path}"`;
  return shellQuoted(path.startsWith('-') ? `./${path}` : path);
}

/** A word of a command line to paste, in single quotes if it needs them. */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
