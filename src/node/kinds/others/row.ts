/** Tables of other clients: programs with an RPC or admin interface that are named and not judged. */

export type Role = 'execution' | 'consensus' | 'rollup' | 'signer' | 'proxy' | 'development';

/** A client, or a companion of one. */
export interface OtherClient {
  readonly name: string;
  readonly role: Role;
  /** Base names of its programs. */
  readonly programs: readonly (string | RegExp)[];
  /** Names that other software uses too: they count only together with one of its own flags. */
  readonly sharedPrograms: readonly (string | RegExp)[];
  /** Sub-commands that serve; empty: it serves without one. */
  readonly serving: readonly string[];
  /** Sub-commands that serve nothing. */
  readonly idle: readonly string[];
  /** Its images, without registry tag and digest; null: none is known. */
  readonly images: RegExp | null;
  /** True for an image of several tools: only the container's command says that this one runs. */
  readonly isToolbox: boolean;
  /** Flags without dashes that no node of a judged kind has; `x*`: every flag that begins with x. */
  readonly own: readonly string[];
  /** Flags without dashes that a judged kind has too: they show only what a shared name means. */
  readonly beside: readonly string[];
  /** Answers of web3_clientVersion; null: none is known. */
  readonly clientName: RegExp | null;
  /** Flags and variables that name a config file, which can set any interface. */
  readonly configFiles: readonly string[];
  /** True if a config file is always read. */
  readonly isConfigured: boolean;
  /** True if `--switch false` turns a switch off; else only `--switch=false` does. */
  readonly takesSeparateBooleans: boolean;
  /** True if a blank variable counts as one that is not set. */
  readonly blankIsUnset: boolean;
  readonly interfaces: readonly ClientInterface[];
}

/** An interface of a client. Names of settings: `--flag`, `$VARIABLE`, or a key of its config file. */
export interface ClientInterface {
  readonly name: string;
  /** On without any setting; null: not known. */
  readonly isOn: boolean | null;
  readonly enable: readonly string[];
  readonly disable: readonly string[];
  /** Settings without which it stays closed, if one of them is off. */
  readonly needs: readonly string[];
  /** A value of `enable` that turns it off. */
  readonly off: RegExp;
  /** Settings of its address; a value may hold the port too. */
  readonly bind: readonly string[];
  /** True if a value of `bind` lists interfaces, each `url|transports|modules` with or without `|no-auth`. */
  readonly isPacked: boolean;
  readonly port: readonly string[];
  readonly modules: readonly string[];
  /** Settings of the origins and of the Host names that it accepts. */
  readonly origins: readonly string[];
  readonly hosts: readonly string[];
  /** Settings that decide who may call it, `--flag` or `--flag=value`, and the words of the report. */
  readonly switches: Readonly<Record<string, string>>;
  /** Its default address; null: not known. */
  readonly host: string | null;
  /** True if its default address differs in a container. */
  readonly isOtherInContainer: boolean;
  readonly usualPort: number | null;
  readonly usualModules: string | null;
  readonly usualOrigins: string | null;
  /** The address that a bare port or `:port` means. */
  readonly hostOfPort: string;
}

/**
 * Reads a table of clients: a line with the role and the name of each, then one for each of its facts. Deeper lines continue
 * a fact; `#` begins a comment. Facts have the names of the fields of `OtherClient`, except:
 *
 *     programs   absent: the name; `-`: none. A word between slashes is a pattern
 *     images     absent: the name, at the end of an image's; `-`: none
 *     variables  the prefix of the variables of its flags, and what replaces a dot in them, if not `_`
 *     dashes     each flag with dots has a second name with dashes
 *     port       an interface: its name and its fields as `field=words`. It is off until `enable` opens it, or on if it has
 *                none, unless `isOn` says `true` or `?`, not known. `usual` has its default address and port, `?`: not known.
 *                `switch` has a setting that widens it, and the words of the report
 *
 * `like NAME` takes over the facts of an earlier row; an interface replaces one of the same name. Rows of role `-` are no
 * client.
 */
export function clientsOf(table: string): readonly OtherClient[] {
  const line = /^(?:([^\s#]+) (.+?)(?: like (\S+))?| {2}(port .+?(?= \w+=|$)|\S+) ?(.*))$/gm;
  const rows = new Map<string, Row>();
  let facts = new Map<string, string>();
  for (const [, role, name = '', base = '', fact = '', text = ''] of table
    .replaceAll('\n    ', ' ')
    .matchAll(line)) {
    if (role === undefined) facts.set(fact, text);
    else {
      facts = new Map(rows.get(base)?.facts);
      rows.set(name, { role, name, facts });
    }
  }
  return [...rows.values()].filter(({ role }) => role !== '-').map(clientOf);
}

interface Row {
  readonly role: string;
  readonly name: string;
  readonly facts: ReadonlyMap<string, string>;
}

/** Settings, each flag with its other name and its variable. */
type Named = (settings: readonly string[]) => readonly string[];

function clientOf({ role, name, facts }: Row): OtherClient {
  const words = (fact: string) => split(facts.get(fact));
  const images = facts.get('images') ?? `(?:^|/)${name}$`;
  const clientName = facts.get('clientName');
  const [prefix = '', dot] = words('variables');
  const named: Named = (settings) => [
    ...(facts.has('variables') ? withVariables(settings, prefix, dot) : settings),
    ...(facts.has('dashes') ? settings.map((one) => one.replaceAll('.', '-')) : []),
  ];
  return {
    name,
    role: role as Role,
    programs: facts.has('programs') ? words('programs').map(programOf) : [name],
    sharedPrograms: words('sharedPrograms').map(programOf),
    serving: words('serving'),
    idle: words('idle'),
    images: images === '-' ? null : new RegExp(images),
    isToolbox: facts.has('isToolbox'),
    own: words('own'),
    beside: words('beside'),
    clientName: clientName === undefined ? null : new RegExp(clientName, 'i'),
    configFiles: named(words('configFiles')),
    isConfigured: facts.has('isConfigured'),
    takesSeparateBooleans: facts.has('takesSeparateBooleans'),
    blankIsUnset: facts.has('blankIsUnset'),
    interfaces: [...facts].flatMap(([fact, text]) =>
      fact.startsWith('port ') ? [interfaceOf(fact.slice('port '.length), text, named)] : [],
    ),
  };
}

function interfaceOf(name: string, text: string, named: Named): ClientInterface {
  const fields = text.split(/ (?=\w+=)/).map((field) => {
    const at = field.indexOf('=');
    return [field.slice(0, at), field.slice(at + 1)] as const;
  });
  const {
    isOn,
    off,
    usual = '?:?',
    usualModules = null,
    usualOrigins = null,
    isPacked,
    isOtherInContainer,
    hostOfPort = '0.0.0.0',
    ...words
  } = Object.fromEntries(fields) as Readonly<Record<string, string | undefined>>;
  const settings = (field: string) => named(split(words[field]));
  const [, host = '?', port = '?'] = /^(.*):(.*)$/.exec(usual) ?? [];
  const switches = fields.flatMap(([field, value]) => {
    const [setting = '', ...report] = value.split(' ');
    return field === 'switch' ? named([setting]).map((one) => [one, report.join(' ')] as const) : [];
  });
  return {
    name,
    isOn: isOn === undefined ? words.enable === undefined : isOn === '?' ? null : true,
    enable: settings('enable'),
    disable: settings('disable'),
    needs: settings('needs'),
    off: off === undefined ? /^(?:false|0|no|off)$/i : new RegExp(off),
    bind: settings('bind'),
    isPacked: isPacked !== undefined,
    port: settings('port'),
    modules: settings('modules'),
    origins: settings('origins'),
    hosts: settings('hosts'),
    switches: Object.fromEntries(switches),
    host: host === '?' ? null : host,
    isOtherInContainer: isOtherInContainer !== undefined,
    usualPort: port === '?' ? null : Number(port),
    usualModules,
    usualOrigins,
    hostOfPort,
  };
}

/** `/^reth$/i`, or a name. */
function programOf(word: string): string | RegExp {
  const [, source, flags] = /^\/(.*)\/(\w*)$/.exec(word) ?? [];
  return source === undefined ? word : new RegExp(source, flags);
}

/** The settings, and the variable of each flag, the flag in capitals behind a prefix; a value after `=` stays. */
function withVariables(settings: readonly string[], prefix: string, dot: string | undefined): string[] {
  return settings.flatMap((setting) => {
    const [, flag, value = ''] = /^--([^=]+)(=.*)?$/.exec(setting) ?? [];
    if (flag === undefined) return [setting];
    const upper = flag.toUpperCase();
    const variable = dot === undefined ? upper.replace(/[^A-Z0-9]/g, '_') : upper.replaceAll('.', dot);
    return [setting, `$${prefix}${variable}${value}`];
  });
}

function split(words = ''): readonly string[] {
  return words === '' || words === '-' ? [] : words.split(' ');
}
