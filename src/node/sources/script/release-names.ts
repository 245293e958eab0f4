/** The words of scripts that may name a release: paths, addresses of downloads, packages and checkouts. */

/** A variable with a plain value, as a shell, ARG and ENV write it. */
const assigned = /(?:^|[\s;&])([A-Za-z_]\w*)=(["']?)([\w.+:/-]+)\2(?=[\s;&)]|$)/gm;
const cloned = /\bgit\s+clone\b([^\n;&|]*)/g;
const checkedOut = /\bgit\s+(?:-C\s+\S+\s+)?checkout\s+(?:-\S+\s+)*(?:refs\/)?(?:tags\/)?(v\d[\w.+-]*)/g;

/**
 * The words with a version, with the variables that one plain value sets; a checkout of a tag as
 * `github.com/ethereum/go-ethereum@v1.10.8`.
 */
export function releaseNames(texts: readonly string[], environment: ReadonlyMap<string, string>): string[] {
  const written = texts.join('\n');
  if (![written, ...environment.values()].some((one) => /\d\.\d/.test(one))) return [];
  const variables = new Map<string, string | null>(environment);
  for (const [, name = '', , value = ''] of written.matchAll(assigned))
    variables.set(name, (variables.get(name) ?? value) === value ? value : null);
  const text = written.replace(
    /\$(?:(\w+)|\{(\w+)(?::?-([\w.+:/-]+))?\})/g,
    (all, bare, braced, fallback) => variables.get(bare ?? braced) ?? fallback ?? all,
  );
  const words = (text.match(/[^\s'"]+/g) ?? []).filter((word) => /\d\.\d/.test(word));
  return [...words, ...checkouts(text)];
}

function checkouts(text: string): string[] {
  const clones = [...text.matchAll(cloned)].flatMap(({ 1: words = '', index }) => {
    const repository = /github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?(?=["'\s]|$)/.exec(words)?.[1];
    const branch = /(?:-b|--branch)[=\s]\s*["']?([\w./+-]+)/.exec(words)?.[1];
    return repository === undefined ? [] : [{ repository, branch, index }];
  });
  const tags = [...text.matchAll(checkedOut)].flatMap(({ 1: tag = '', index }) => {
    const repository = clones.findLast((one) => one.index < index)?.repository;
    return repository === undefined ? [] : [`github.com/${repository}@${tag}`];
  });
  const branches = clones.flatMap(({ repository, branch }) =>
    branch === undefined ? [] : [`github.com/${repository}@${branch}`],
  );
  // A tag that is checked out replaces the branch that was cloned.
  return tags.length > 0 ? tags : branches;
}
