/** The pairs of a text: `a=1 b=2`, over one line or several. */
export function pairs(text: string): [name: string, value: string][] {
  return [...text.matchAll(/([^\s=]+)=(\S*)/g)].map(([, name = '', value = '']) => [name, value]);
}
