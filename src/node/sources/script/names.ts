/** What names say of shells and their scripts. */

const shell = '(?:ba|da|a|k|z)?sh';
const program = new RegExp(`(?:^|/)${shell}$`);
const ending = new RegExp(`\\.${shell}$`);

/** Whether a program, by its name or its path, is a shell that reads the language of sh. */
export function isShell(name: string): boolean {
  return program.test(name);
}

/** Whether a file is a script of such a shell by its name; a first line may name a program that reads another language. */
export function isShellScript(path: string, text: string): boolean {
  const other = /^(?:\uFEFF)?#!.*\b(?:fish|t?csh|nu|pwsh|xonsh|elvish|python[\d.]*|perl|ruby|node|expect)\b/;
  return ending.test(path) && !other.test(text);
}
