/** What to pass to kaiactl instead of a file that it does not follow, by the name of the file. */

const commandLine = 'Pass the node’s command with --command-line';

const rows: readonly { readonly path: RegExp; readonly advice: string }[] = [
  { path: /\.js$/, advice: 'Pass the script that runs it, or the node’s command with --command-line' },
  {
    path: /\.(?:tf|tfvars|hcl|nomad)$/,
    advice: 'Pass the rendered user data, or the node’s command with --command-line',
  },
  {
    path: /(?:^|[\\/])(?:(?:group|host)_vars[\\/].*|(?:inventor(?:y|ies)|hosts)(?:[\\/].*|\.(?:ini|ya?ml))?)$/,
    advice: 'Run ansible-playbook with --check --diff, and pass the files that it shows',
  },
  {
    path: /(?:^|[\\/])(?:values[\w.-]*|[\w.-]+[-._]values)\.ya?ml$/,
    advice: 'Pass the output of helm template',
  },
];

/** A sentence without its full stop. */
export function adviceFor(path: string): string {
  return rows.find((row) => row.path.test(path))?.advice ?? commandLine;
}
