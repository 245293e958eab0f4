/** Programs and tools that start nodes in ways that are not followed: they are named, and their nodes are undetermined. */
import type { Kind } from '../kinds/kind.js';

/** `called`: the files of such a program, "scripts of Windows". */
export interface Program {
  readonly called: string;
  readonly hint: string;
}

interface Row extends Program {
  /** The names of its files. */
  readonly path: RegExp;
  /** True where the text starts a node of this kind, or sets one up. */
  starts(kind: Kind, text: string): boolean;
}

const commandLine = 'Pass the node’s command with --command-line.';
/** The global objects of the console; web3.eth.personal of a library is not among them. */
const commandsConsole = /(?<![\w.])(?:admin\s*\.\s*start(?:HTTP|RPC|WS)|personal\s*\.\s*unlockAccount)\s*\(/;
const isModule = /\brequire\(|^[ \t]*(?:import|export)\b/m;
const isTest = /(?:^|[\\/])(?:tests?|__tests__|spec|testdata)[\\/]|[._-](?:test|spec)\.[a-z]+$/;

const rows: readonly Row[] = [
  { called: 'scripts of Windows', hint: commandLine, path: /\.(?:cmd|bat|ps1)$/i, starts: namesProgram },
  {
    called: 'programs for pm2',
    hint: commandLine,
    path: /(?:^|[\\/])ecosystem\.config\.[cm]?js$/,
    starts: namesProgram,
  },
  {
    called: 'scripts for the console of a node that is started elsewhere',
    hint: 'Pass the script that runs it, or the file that starts the node.',
    path: /\.js$/,
    starts: (_, text) => commandsConsole.test(text) && !isModule.test(text),
  },
  {
    called: 'programs in other languages',
    hint: commandLine,
    path: /\.(?:[cm]?[jt]s|go|py|rb|rs|pl)$/,
    starts: spawns,
  },
  {
    called: 'pipelines of Jenkins',
    hint: commandLine,
    path: /(?:^|[\\/])Jenkinsfile$|\.groovy$/,
    starts: (kind, text) => setsUp(kind, text) || namesContainer(kind, text),
  },
  {
    called: 'files of Terraform and Nomad',
    hint: 'Pass the rendered user data, or the node’s command with --command-line.',
    path: /\.(?:tf|hcl|nomad)$/,
    starts: (kind, text) => setsUp(kind, text) || namesStart(kind, text),
  },
];

/** Files that are read as another kind where they are one: a manifest may be JSON, a part of a playbook holds variables. */
const others: readonly Row[] = [
  { called: 'starts in JSON', hint: commandLine, path: /\.json$/, starts: namesStart },
  {
    called: 'files of Nix, Salt, Puppet, Butane, Monit, Jsonnet and CUE',
    hint: commandLine,
    path: /\.(?:nix|sls|pp|bu|ign|jsonnet|libsonnet|cue)$|(?:^|[\\/])monit(?:rc$|[\\/])/,
    starts: (kind, text) => setsUp(kind, text) || namesStart(kind, text),
  },
  { called: 'property lists of launchd', hint: commandLine, path: /\.plist$/, starts: namesStart },
  {
    called: 'inventories of Ansible',
    hint: 'Run ansible-playbook with --check --diff, and pass the files that it shows.',
    path: /(?:^|[\\/])(?:(?:group|host)_vars[\\/].*|(?:inventor(?:y|ies)|hosts)(?:[\\/].*|\.(?:ini|ya?ml))?)$/,
    starts: hasFlags,
  },
  {
    called: 'values of Helm charts that are not among the files',
    hint: 'Pass the output of helm template.',
    path: /(?:^|[\\/])(?:values[\w.-]*|[\w.-]+[-._]values)\.ya?ml$/,
    starts: hasFlags,
  },
];

/** True for the name of a file that is read only to look for such a program. */
export function mayBeProgram(name: string): boolean {
  return rows.some(({ path }) => path.test(name));
}

/** The program of a file and the kinds of node that it starts; null: none that is known to start one. */
export function programOf(
  kinds: readonly Kind[],
  path: string,
  text: string,
): { readonly program: Program; readonly nodes: readonly Kind[] } | null {
  for (const program of isTest.test(path) ? [] : [...rows, ...others]) {
    const nodes = program.path.test(path) ? kinds.filter((kind) => program.starts(kind, text)) : [];
    if (nodes.length > 0) return { program, nodes };
  }
  return null;
}

/** True for a text with the name of a node's program or launcher. */
function namesProgram({ programs, launchers }: Kind, text: string): boolean {
  const names = [...programs, ...(launchers?.names ?? [])];
  return new RegExp(`(?<![\\w.@-])(?:${names.join('|')})(?:\\.exe)?(?![\\w.@-])`).test(text);
}

/** True for a call that runs a program, and a node’s command; or for the words of a container. */
function spawns(kind: Kind, text: string): boolean {
  // The names are looked for first: few programs have them.
  return (
    (namesStart(kind, text) || startsLauncher(kind, text)) && (runs.test(text) || namesContainer(kind, text))
  );
}

/** True for the name of a node’s program, or of an image, and a flag of an interface, both in quotes or tags. */
function namesStart(kind: Kind, text: string): boolean {
  if (!flagOf(kind).test(text)) return false;
  const program = new RegExp(`["'\`>](?:[^"'\`\\s<>]*/)?(?:${kind.programs.join('|')})["'\`< ]`);
  return program.test(text) || namesContainer(kind, text);
}

/** True for the name of an image and a flag of an interface, both in quotes. */
function namesContainer(kind: Kind, text: string): boolean {
  if (!flagOf(kind).test(text)) return false;
  const images = [...text.matchAll(/(?:image|container)[^\n]{0,80}?["'`]([\w.-]+(?:[:/][\w.-]+)+)["'`]/gi)];
  return images.some(([, name = '']) => kind.signs.image.test(name));
}

/** A flag of an interface, in quotes or tags. */
function flagOf({ interfaces }: Kind): RegExp {
  const { http, ws } = interfaces.flags;
  const flags = [http.enable, http.addr, http.api, ws.enable, ws.addr, ws.api].filter((flag) => flag !== '');
  return new RegExp(`["'\`> ]--(?:${flags.join('|')})["'\`=< ]`);
}

/** True for a command of the node, or for flags that few other programs have. */
function hasFlags(kind: Kind, text: string): boolean {
  const { flag, otherProgram } = kind.signs;
  return setsUp(kind, text) || (flag.test(text) && !otherProgram.test(text));
}

/** True for a launcher's start, in quotes. */
function startsLauncher({ launchers }: Kind, text: string): boolean {
  const names = launchers?.names.join('|') ?? '(?!)';
  return new RegExp(`["'\`](?:[^"'\`\\s]*/)?(?:${names})["'\`, ]+(?:re)?start\\b`).test(text);
}

/** A call that runs a program. */
const runs =
  /(?<!\/\w*\.)\b(?:spawn|exec|system|Popen)\w*\(|\b(?:exec\.Command\w*|Command::new|subprocess\.\w+)\(/;

/** True for a node's program with a flag, its launcher as a service, and the name of its conf. */
export function setsUp({ programs, launchers }: Kind, text: string): boolean {
  const scripts = launchers?.names.join('|') ?? '(?!)';
  const signs = [
    `(?<![\\w.-])(?:${programs.join('|')})[ \\t]+--?[A-Za-z]`,
    `(?<![\\w.-])(?:${scripts})(?:\\.conf(?![\\w-])|[ \\t]+(?:re)?start)`,
    `\\b(?:systemctl|service)\\b[^\\n#]*[ \\t](?:${scripts})(?![\\w.-])`,
    `\\bname["']?[ \\t]*[:=][ \\t]*["']?(?:${scripts})(?![\\w-])`,
  ];
  const lines = text.replaceAll(/^[ \t]*(?:#|\/\/).*$/gm, '');
  return signs.some((sign) => new RegExp(sign).test(lines));
}
