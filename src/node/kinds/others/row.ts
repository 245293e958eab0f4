/** Rows of the tables of other clients: programs with an RPC or admin interface that are named and not judged. */

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
  /** Answers of web3_clientVersion; null: none is known. */
  readonly clientName: RegExp | null;
  /** Flags and variables that name a config file, which can set any interface. */
  readonly configFiles: readonly string[];
  /** True if a config file is always read. */
  readonly isConfigured: boolean;
  /** True if `--switch false` turns a switch off; else only `--switch=false` does. */
  readonly takesSeparateBooleans: boolean;
  readonly interfaces: readonly ClientInterface[];
}

/** An interface of a client. Names of settings: `--flag`, `$VARIABLE`, or a key of its config file. */
export interface ClientInterface {
  readonly name: string;
  /** On without any setting; null: not known. */
  readonly isOn: boolean | null;
  readonly enable: readonly string[];
  readonly disable: readonly string[];
  /** A value of `enable` that turns it off. */
  readonly off: RegExp;
  /** Settings of its address; a value may hold the port too. */
  readonly bind: readonly string[];
  readonly port: readonly string[];
  readonly modules: readonly string[];
  /** Settings that widen it, `--flag` or `--flag=value`, and the words of the report. */
  readonly switches: Readonly<Record<string, string>>;
  /** Its default address; null: not known. */
  readonly host: string | null;
  /** True if its default address differs in a container. */
  readonly isOtherInContainer: boolean;
  readonly usualPort: number | null;
  readonly usualModules: string | null;
  /** The address that a bare port or `:port` means. */
  readonly hostOfPort: string;
}

type Words = string;

interface PortRow {
  readonly isOn?: boolean | null;
  readonly enable?: Words;
  readonly disable?: Words;
  readonly off?: RegExp;
  readonly bind?: Words;
  readonly port?: Words;
  readonly modules?: Words;
  readonly switches?: Readonly<Record<string, string>>;
  readonly usual?: readonly [host: string | null, port: number | null, modules?: string];
  readonly hostOfPort?: string;
  readonly isOtherInContainer?: boolean;
}

/** An interface; without `isOn` it is off until a setting of `enable` opens it, or on if there is none. */
export function port(name: string, row: PortRow): ClientInterface {
  const [host = null, usualPort = null, usualModules = null] = row.usual ?? [];
  return {
    name,
    isOn: row.isOn === undefined ? row.enable === undefined : row.isOn,
    enable: split(row.enable),
    disable: split(row.disable),
    off: row.off ?? /^(?:false|0|no|off)$/i,
    bind: split(row.bind),
    port: split(row.port),
    modules: split(row.modules),
    switches: row.switches ?? {},
    host,
    isOtherInContainer: row.isOtherInContainer ?? false,
    usualPort,
    usualModules,
    hostOfPort: row.hostOfPort ?? '0.0.0.0',
  };
}

interface ClientRow
  extends Partial<
    Pick<OtherClient, 'programs' | 'sharedPrograms' | 'images' | 'isToolbox' | 'clientName' | 'isConfigured'>
  > {
  readonly serving?: Words;
  readonly idle?: Words;
  readonly own?: Words;
  readonly configFiles?: Words;
  readonly takesSeparateBooleans?: boolean;
  /** The environment variable of a flag. */
  readonly variable?: (flag: string) => string;
  readonly interfaces: readonly ClientInterface[];
}

/** A client; its only program is its name unless the row says otherwise. */
export function client(name: string, role: Role, row: ClientRow): OtherClient {
  const { variable } = row;
  const configFiles = split(row.configFiles);
  return {
    name,
    role,
    programs: row.programs ?? [name],
    sharedPrograms: row.sharedPrograms ?? [],
    serving: split(row.serving),
    idle: split(row.idle),
    images: row.images ?? null,
    isToolbox: row.isToolbox ?? false,
    own: split(row.own),
    clientName: row.clientName ?? null,
    configFiles: variable === undefined ? configFiles : withVariables(configFiles, variable),
    isConfigured: row.isConfigured ?? false,
    takesSeparateBooleans: row.takesSeparateBooleans ?? false,
    interfaces:
      variable === undefined ? row.interfaces : row.interfaces.map((one) => inEnvironment(one, variable)),
  };
}

/** The variable of a flag is the flag in capitals behind a prefix. */
export function prefixed(prefix: string): (flag: string) => string {
  return (flag) => prefix + flag.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

function inEnvironment(one: ClientInterface, variable: (flag: string) => string): ClientInterface {
  const named = (names: readonly string[]) => withVariables(names, variable);
  const switches = Object.entries(one.switches).flatMap(([name, words]) =>
    named([name]).map((each) => [each, words] as const),
  );
  return {
    ...one,
    enable: named(one.enable),
    disable: named(one.disable),
    bind: named(one.bind),
    port: named(one.port),
    modules: named(one.modules),
    switches: Object.fromEntries(switches),
  };
}

/** The names, and the variable of each flag; a value after `=` stays. */
function withVariables(names: readonly string[], variable: (flag: string) => string): string[] {
  return names.flatMap((name) => {
    const [, flag, value = ''] = /^--([^=]+)(=.*)?$/.exec(name) ?? [];
    return flag === undefined ? [name] : [name, `$${variable(flag)}${value}`];
  });
}

function split(words: Words = ''): readonly string[] {
  return words === '' ? [] : words.split(' ');
}
