/** Rows of other clients: programs with an RPC or admin interface that are named and not judged. */

export type Role = 'execution' | 'consensus' | 'rollup' | 'signer' | 'proxy' | 'development';

/** Names of settings: `--flag`, `$VARIABLE`, or a key of a config file. */
type Settings = string | readonly string[];

/** A client, or a companion of one. */
export interface ClientRow {
  readonly name: string;
  readonly role: Role;
  /** Base names of its programs; absent if that is its name. */
  readonly programs?: readonly (string | RegExp)[];
  /** Names that other software uses too: they count only together with one of its own flags. */
  readonly sharedPrograms?: readonly (string | RegExp)[];
  /** Sub-commands that serve; absent if it serves without one. */
  readonly serving?: readonly string[];
  /** Sub-commands that serve nothing. */
  readonly idle?: readonly string[];
  /** Its images, without registry tag and digest; absent if an image's name ends with its name; null if none is known. */
  readonly images?: RegExp | null;
  /** Whether it is an image of several tools: only the container's command says that this one runs. */
  readonly isToolbox?: boolean;
  /** Flags without dashes that no node of a judged kind has; `x*`: every flag that begins with x. */
  readonly own?: readonly string[];
  /** Flags without dashes that a judged kind has too: they show only what a shared name means. */
  readonly beside?: readonly string[];
  /** Answers of web3_clientVersion; absent if none is known. */
  readonly clientName?: RegExp;
  /** Flags and variables that name a config file, which can set any interface. */
  readonly configFiles?: readonly string[];
  /** Whether a config file is always read. */
  readonly isConfigured?: boolean;
  /** Whether `--switch false` turns a switch off; absent if only `--switch=false` does. */
  readonly takesSeparateBooleans?: boolean;
  /** Whether a blank variable counts as one that is not set. */
  readonly blankIsUnset?: boolean;
  /** The prefix of the variables of its flags, and what replaces a dot in them; absent if they have none, and `_`. */
  readonly variables?: { readonly prefix: string; readonly dot?: string };
  /** Whether each flag with dots has a second name with dashes. */
  readonly hasDashes?: boolean;
  readonly interfaces?: Readonly<Record<string, InterfaceRow>>;
}

/** An interface of a client. It is off until `enable` opens it, or on if it has none, unless `isOn` says so. */
export interface InterfaceRow {
  /** On without any setting; null if it is not known. */
  readonly isOn?: true | null;
  readonly enable?: Settings;
  /** Settings that close it unless `enable` opens it. */
  readonly disable?: Settings;
  /** Settings without which it stays closed, if one of them is off. */
  readonly needs?: Settings;
  /** A value of `enable` that turns it off; absent for false, 0, no or off. */
  readonly off?: RegExp;
  /** Settings of its address; a value may hold the port too. */
  readonly addr?: Settings;
  /** Whether a value of `addr` lists interfaces, each `url|transports|modules` with or without `|no-auth`. */
  readonly isPacked?: boolean;
  readonly port?: Settings;
  /** Settings of its module list. */
  readonly api?: Settings;
  /** Settings of the origins and of the Host names that it accepts. */
  readonly origins?: Settings;
  readonly hosts?: Settings;
  /** Settings that decide who may call it, `--flag` or `--flag=value`, and the words of the report. */
  readonly switches?: Readonly<Record<string, string>>;
  /** Its default address and port; null and absent: not known. */
  readonly usual?: readonly [host: string | null, port: number | null];
  readonly usualModules?: string;
  readonly usualOrigins?: string;
  /** Whether its default address differs in a container. */
  readonly isOtherInContainer?: boolean;
  /** The address that a bare port or `:port` means; absent for every address. */
  readonly hostOfPort?: string;
}

/** The client of a row. */
export interface OtherClient
  extends Required<Omit<ClientRow, 'clientName' | 'variables' | 'hasDashes' | 'interfaces'>> {
  readonly clientName: RegExp | null;
  readonly interfaces: readonly ClientInterface[];
}

type SettingsOf = (typeof partsNamed)[number];

/** The interface of a row, whose settings are there under each of their names. */
export interface ClientInterface
  extends Required<Omit<InterfaceRow, SettingsOf | 'isOn' | 'usualModules' | 'usualOrigins'>>,
    Readonly<Record<SettingsOf, readonly string[]>> {
  readonly name: string;
  readonly isOn: boolean | null;
  readonly usualModules: string | null;
  readonly usualOrigins: string | null;
}

/** What a client is that states nothing. */
// biome-ignore format: a table, its lines filled by hand
const plain = {
  sharedPrograms: [], serving: [], idle: [], own: [], beside: [], clientName: null, isToolbox: false, isConfigured: false,
  takesSeparateBooleans: false, blankIsUnset: false,
};
// biome-ignore format: a table, its lines filled by hand
const plainInterface = {
  off: /^(?:false|0|no|off)$/i, isPacked: false, isOtherInContainer: false, hostOfPort: '0.0.0.0',
  usual: [null, null] as const, usualModules: null, usualOrigins: null,
};

/** Each setting with its other name and its variable. */
type Named = (settings: Settings | undefined) => readonly string[];

export function clientOf({ variables, hasDashes = false, interfaces = {}, ...row }: ClientRow): OtherClient {
  const named: Named = (settings = []) => {
    const all = [settings].flat();
    return [
      ...(variables === undefined ? all : withVariables(all, variables)),
      ...(hasDashes ? all.map((one) => one.replaceAll('.', '-')) : []),
    ];
  };
  return {
    ...plain,
    programs: [row.name],
    images: new RegExp(`(?:^|/)${row.name}$`),
    ...row,
    configFiles: named(row.configFiles),
    interfaces: Object.entries(interfaces).map(([name, one]) => interfaceOf(name, one, named)),
  };
}

const partsNamed = ['enable', 'disable', 'needs', 'addr', 'port', 'api', 'origins', 'hosts'] as const;

function interfaceOf(name: string, row: InterfaceRow, named: Named): ClientInterface {
  const switches = Object.entries(row.switches ?? {}).flatMap(([setting, words]) =>
    named(setting).map((one) => [one, words] as const),
  );
  const parts = Object.fromEntries(partsNamed.map((part) => [part, named(row[part])]));
  return {
    ...plainInterface,
    isOn: row.enable === undefined,
    ...row,
    name,
    ...(parts as Record<(typeof partsNamed)[number], readonly string[]>),
    switches: Object.fromEntries(switches),
  };
}

/** The settings, and the variable of each flag, the flag in capitals behind a prefix; a value after `=` stays. */
function withVariables(
  settings: readonly string[],
  { prefix, dot }: NonNullable<ClientRow['variables']>,
): readonly string[] {
  return settings.flatMap((setting) => {
    const [, flag, value = ''] = /^--([^=]+)(=.*)?$/.exec(setting) ?? [];
    if (flag === undefined) return [setting];
    const upper = flag.toUpperCase();
    const variable = dot === undefined ? upper.replace(/[^A-Z0-9]/g, '_') : upper.replaceAll('.', dot);
    return [setting, `$${prefix}${variable}${value}`];
  });
}
