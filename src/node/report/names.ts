/** Short names of targets. */

/**
 * The shortest end of a path that no other name has, in whole folders: `conf/kend.conf` of `/srv/en-1/conf/kend.conf`.
 * A name that is no path, such as a URL or that of a process, stays whole.
 */
export function shortNames(names: Iterable<string>): (name: string) => string {
  const all = [...new Set(names)]
    .filter((name) => !name.includes('://') && !ofProcess.test(name))
    .map((name) => ({ name, parts: partsOf(name).reverse() }));
  all.sort((a, b) => (a.parts.join('\0') < b.parts.join('\0') ? -1 : 1));
  const short = new Map<string, string>();
  for (const [at, { name, parts }] of all.entries()) {
    const shared = Math.max(...[at - 1, at + 1].map((other) => sharedParts(parts, all[other]?.parts ?? [])));
    short.set(
      name,
      shared + 1 >= parts.length
        ? name
        : parts
            .slice(0, shared + 1)
            .reverse()
            .join('/'),
    );
  }
  return (name) => short.get(name) ?? name;
}

/** `ken /var/kend/data`, `ken of kend.service`: a program is told by all of it. */
const ofProcess = /^[\w.-]+ (?:\/|of |in )/;

/** The folders, then the file together with the name of its node: `a/compose.yml: en` has two parts. */
function partsOf(name: string): string[] {
  const end = name.indexOf(': ');
  const path = end < 0 ? name : name.slice(0, end);
  const parts = path.split('/');
  return [...parts.slice(0, -1), parts.at(-1) + name.slice(path.length)];
}

function sharedParts(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? a.length : at;
}
