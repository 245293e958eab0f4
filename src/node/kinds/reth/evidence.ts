/** The evidence of a release: versions, image names, download names and answers. */
import type { ReleaseRange } from '../../facts/release.js';
import type { ReleaseEvidence } from '../kind.js';
import { compare } from '../tags.js';
import type { Flavour } from './flavours.js';

const version = /^(?:(reth|op-reth)[/ ])?v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4})(?:[-+][\w.+-]*)?)?$/;

/** A release in the repository, and the name of its archive: reth-v1.3.12-x86_64-unknown-linux-gnu.tar.gz. */
const download = (id: string) =>
  new RegExp(
    `github\\.com/paradigmxyz/reth(?:\\.git)?/(?:releases/download|archive/refs/tags|tree)/(v?\\d+\\.\\d+\\.\\d+)/${id}-v|(?:^|[/\\s"'=])${id}-(v\\d+\\.\\d+\\.\\d+)-(?:x86_64|aarch64|riscv64)`,
  );

export function evidenceOf(flavour: Flavour): ReleaseEvidence {
  const { id: product, releases, image, own, client } = flavour;
  const archive = download(product);
  const [oldest, newest] = [releases[0]?.id ?? '', releases.at(-1)?.id ?? ''];
  function ofVersion(text: string): ReleaseRange | null {
    const [, named = product, major, minor, patch] = version.exec(text) ?? [];
    if (major === undefined || named !== product) return null;
    return patch === undefined
      ? ofMinor(`v${Number(major)}.${Number(minor)}.`)
      : ofTag(`v${[major, minor, patch].map(Number).join('.')}`);
  }
  /** A tag that is no release known here lies between two of them. */
  function ofTag(tag: string): ReleaseRange | null {
    const before = releases.findLast((one) => compare(one.tag, tag) <= 0);
    const behind = releases.find((one) => compare(one.tag, tag) >= 0);
    const [since, until] = [before ?? behind, behind ?? before];
    return since === undefined || until === undefined
      ? null
      : { value: `${product}/${tag}`, since: since.id, until: until.id };
  }
  function ofMinor(start: string): ReleaseRange | null {
    const some = releases.filter(({ tag }) => tag.startsWith(start));
    const [since, until] = [some[0]?.id, some.at(-1)?.id];
    return since === undefined || until === undefined ? null : { value: null, since, until };
  }
  return {
    ofVersion,
    ofImage(reference) {
      const [name = '', tag = ''] = reference.replace(/@.*$/, '').split(/:(?=[^/]*$)/);
      if (!image.test(name)) return null;
      if (own.test(name)) return ofVersion(tag);
      // A fork has numbers and defaults of its own.
      return { value: null, since: oldest, until: newest, fork: name.replace(/^.*\//, '') };
    },
    ofPackage(path) {
      const [, ...found] = archive.exec(path) ?? [];
      return ofVersion(found.find((one) => one !== undefined) ?? '');
    },
    ofClient(answer) {
      const [, name = '', tag] = /^([\w-]+)\/(v\d+\.\d+\.\d+)/.exec(answer) ?? [];
      return tag === undefined || name !== product || !client.test(answer) ? null : ofVersion(tag);
    },
    ofBuild: () => null,
    ofName: () => null,
    ofUses: () => null,
  };
}
