/** The file that nodes were read from, beside their settings: edits of it can be tried. */
import { type Asked, type Conf, type Editable, editable, type Texts } from '../../facts/facts.js';

type Read = (text: string, as?: Asked, others?: Texts) => readonly Conf[];

const noOthers: Texts = new Map();

/** Its fields are private: settings compare and print without the file. */
class TextFile implements Editable {
  readonly #text: string;
  readonly #others: Texts;
  readonly #confs: readonly Conf[];
  readonly #read: Read;
  readonly #alike: string | null;

  constructor(text: string, others: Texts, confs: readonly Conf[], read: Read, alike: string | null) {
    this.#text = text;
    this.#others = others;
    this.#confs = confs.map((conf) => ({ ...conf, [editable]: this }));
    this.#read = read;
    this.#alike = alike;
  }

  get text(): string {
    return this.#text;
  }

  get others(): Texts {
    return this.#others;
  }

  get confs(): readonly Conf[] {
    return this.#confs;
  }

  get alike(): string | null {
    return this.#alike;
  }

  read(text: string, as?: Asked, others?: Texts): readonly Conf[] {
    return this.#read(text, as, others);
  }
}

/** The nodes of a file and of `others`, each with these files. `read`: what they would be with other texts. */
export function withFile<T extends Conf>(
  text: string,
  confs: readonly T[],
  read: Read,
  others = noOthers,
  alike: string | null = null,
): readonly T[] {
  return new TextFile(text, others, confs, read, alike).confs as readonly T[];
}

/** A node with more known of it, read from the same text and read again in the same way. */
export function derive(conf: Conf, change: (conf: Conf) => Conf): Conf {
  const { [editable]: file } = conf;
  const derived = change(conf);
  if (file === undefined) return derived;
  const read: Read = (...texts) => file.read(...texts).map(change);
  const [own = derived] = withFile(file.text, [derived], read, file.others, file.alike);
  return own;
}

/** True when decoding was lossless: encoding the text again gives the bytes of the file. */
export function isExact(text: string, bytes: Uint8Array): boolean {
  return Buffer.from(text).equals(bytes);
}
