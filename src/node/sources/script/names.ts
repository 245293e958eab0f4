/** By its name; a first line may name a program that reads another language. */
export function isShellScript(path: string, text: string): boolean {
  const other = /^(?:\uFEFF)?#!.*\b(?:fish|t?csh|nu|pwsh|xonsh|elvish|python[\d.]*|perl|ruby|node|expect)\b/;
  return /\.(?:ba|da|a|k|z)?sh$/.test(path) && !other.test(text);
}
