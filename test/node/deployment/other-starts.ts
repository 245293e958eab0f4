/** Starts of every other client in files of several formats, built from the data of its row. */
import { type OtherClient, otherOfImage, otherOfProgram, others } from '../../../src/node/kinds/others.js';

/** A file that starts a client. */
export interface OtherStart {
  readonly file: string;
  readonly text: string;
  /** The name of the client. */
  readonly client: string;
  /** True where its words bind every interface to loopback. */
  readonly isLoopback: boolean;
  readonly image: string;
  /** True where only the image names the client; else the first word is its program. */
  readonly isByImage: boolean;
  readonly words: readonly string[];
}

type Interface = OtherClient['interfaces'][number];

/** Programs and images that do not follow from a client's name. */
const programs: Readonly<Record<string, string>> = {
  nimbus: 'nimbus_beacon_node',
  'nimbus validator client': 'nimbus_validator_client',
  prover: 'prover-server',
};
const images: Readonly<Record<string, string>> = {
  core: 'coredao/core',
  ab: 'example/ab-node',
  zircuit: 'zircuit/l2-geth',
};

/** The command of a client with these words; null: only its image names it. */
function commandOf(client: OtherClient, words: readonly string[]): readonly string[] | null {
  const { name, serving, own } = client;
  const exact = [...client.programs, ...client.sharedPrograms].filter((one) => typeof one === 'string');
  const names = [programs[name], name, name.replaceAll(' ', '-'), name.replace(/^.* /, ''), ...exact];
  const flags = own.filter((flag) => !flag.endsWith('*')).slice(0, 1);
  return (
    names
      .filter((one) => one !== undefined)
      .flatMap((program) => {
        const bare = [program, ...serving.slice(0, 1)];
        return [[...bare, ...words], ...flags.map((flag) => [...bare, `--${flag}`, ...words])];
      })
      .find(([program = '', ...rest]) => otherOfProgram(program, rest) === client) ?? null
  );
}

function imageOf(client: OtherClient): string {
  const { name } = client;
  const candidates = [images[name], `example/${name}`, `example/${name.replaceAll(' ', '-')}`];
  return (
    candidates.find((one) => one !== undefined && otherOfImage(one)?.images === client.images) ??
    'example/app'
  );
}

const flagIn = (names: readonly string[]) => names.find((name) => name.startsWith('--'));

/** The words that open an interface at an address; null: no flag binds it. */
function bound(one: Interface, address: string): readonly string[] | null {
  const bind = flagIn(one.addr);
  if (bind === undefined) return null;
  const enable = flagIn(one.enable);
  const isWhole = one.port.length === 0 && !bind.endsWith('.addr');
  const value = isWhole ? `${address}:${one.usual[1] ?? 9999}` : address;
  return [...(enable === undefined || one.addr.includes(enable) ? [] : [enable]), `${bind}=${value}`];
}

/** The words that bind all interfaces to loopback; null: some cannot be bound by flags. */
function confined({ interfaces }: OtherClient): readonly string[] | null {
  const words = interfaces.map((one) => bound(one, '127.0.0.1') ?? (one.isOn === false ? [] : null));
  return words.some((each) => each === null) ? null : [...new Set(words.flatMap((each) => each ?? []))];
}

function widened({ interfaces }: OtherClient): readonly string[] {
  return interfaces.flatMap((one) => bound(one, '0.0.0.0') ?? []).slice(0, 2);
}

const quoted = (words: readonly string[]) => JSON.stringify(words);

/** The formats; a client without a program of its own is started by its image. */
const formats: readonly ((
  image: string,
  words: readonly string[],
  hasProgram: boolean,
) => [string, string])[] = [
  (image, words, hasProgram) => [
    'compose.yaml',
    `services:\n  node:\n    image: ${image}\n    ${hasProgram ? 'entrypoint' : 'command'}: ${quoted(words)}\n`,
  ],
  (image, words, hasProgram) => [
    'node.service',
    `[Service]\nExecStart=${(hasProgram ? [`/usr/bin/${words[0]}`, ...words.slice(1)] : ['/usr/bin/docker', 'run', '--network=host', image, ...words]).join(' ')}\n`,
  ],
  (image, words, hasProgram) => [
    'start.sh',
    `#!/bin/sh\nexec ${(hasProgram ? words : ['docker', 'run', '--network=host', image, ...words]).join(' ')}\n`,
  ],
  (image, words, hasProgram) => [
    'manifest.yaml',
    `apiVersion: v1\nkind: Pod\nmetadata:\n  name: node\nspec:\n  containers:\n    - name: node\n      image: ${image}\n      ${hasProgram ? 'command' : 'args'}: ${quoted(words)}\n`,
  ],
];

function startsOf(client: OtherClient): readonly OtherStart[] {
  const image = imageOf(client);
  const cases = [
    { words: widened(client), isLoopback: false },
    { words: confined(client), isLoopback: true },
  ];
  return cases.flatMap(({ words, isLoopback }) => {
    if (words === null) return [];
    const command = commandOf(client, words);
    const all = command ?? words;
    return formats.map((format): OtherStart => {
      const [file, text] = format(image, all, command !== null);
      return { file, text, client: client.name, isLoopback, image, isByImage: command === null, words: all };
    });
  });
}

/** Every other client in every format: with an interface on every address, and bound to loopback where flags can. */
export const otherStarts: readonly OtherStart[] = others().flatMap(startsOf);
