/** The file that nodes were read from, beside their settings: edits of it can be tried. */
import { type Asked, type Conf, type Editable, editable } from '../../facts/facts.js';

type Read = (text: string, as?: Asked) => readonly Conf[];

/** Its fields are private: settings compare and print without the file. */
class TextFile implements Editable {
  readonly #text: string;
  readonly #confs: readonly Conf[];
  readonly #read: Read;

  constructor(text: string, confs: readonly Conf[], read: Read) {
    this.#text = text;
    this.#confs = confs.map((conf) => ({ ...conf, [editable]: this }));
    this.#read = read;
  }

  get text(): string {
    return this.#text;
  }

  get confs(): readonly Conf[] {
    return this.#confs;
  }

  read(text: string, as?: Asked): readonly Conf[] {
    return this.#read(text, as);
  }
}

/** The nodes of a file, each with the file. `read`: what they would be with another text. */
export function withFile<T extends Conf>(text: string, confs: readonly T[], read: Read): readonly T[] {
  return new TextFile(text, confs, read).confs as readonly T[];
}

/** A node with more known of it, read from the same text and read again in the same way. */
export function derive(conf: Conf, change: (conf: Conf) => Conf): Conf {
  const { [editable]: file } = conf;
  const derived = change(conf);
  if (file === undefined) return derived;
  const [own = derived] = withFile(file.text, [derived], (text, as) => file.read(text, as).map(change));
  return own;
}

/** True when decoding was lossless: encoding the text again gives the bytes of the file. */
export function isExact(text: string): boolean {
  return !/[\0\uFFFD]/.test(text);
}
