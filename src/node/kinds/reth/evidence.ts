/** The evidence of a release: versions, image names, download names and answers. */
import type { ReleaseEvidence } from '../kind.js';
import { noEvidence } from '../plain.js';
import { imageParts, versionIn } from '../versions.js';
import type { Flavour } from './flavours.js';

/** A release in the repository, and the name of its archive: reth-v1.3.12-x86_64-unknown-linux-gnu.tar.gz. */
const download = (id: string) =>
  new RegExp(
    `github\\.com/paradigmxyz/reth(?:\\.git)?/(?:releases/download|archive/refs/tags|tree)/(v?\\d+\\.\\d+\\.\\d+)/${id}-v|(?:^|[/\\s"'=])${id}-(v\\d+\\.\\d+\\.\\d+)-(?:x86_64|aarch64|riscv64)`,
  );

export function evidenceOf(flavour: Flavour): ReleaseEvidence {
  const { id: product, releases, image, own, client } = flavour;
  const archive = download(product);
  const ofVersion = (text: string) => versionIn(product, releases, text);
  return {
    ...noEvidence,
    ofVersion,
    ofImage(reference) {
      const [name, tag] = imageParts(reference);
      if (!image.test(name)) return null;
      if (own.test(name)) return ofVersion(tag);
      // A fork has numbers and defaults of its own.
      return { ...releases.whole, fork: name.replace(/^.*\//, '') };
    },
    ofPackage(path) {
      const [, ...found] = archive.exec(path) ?? [];
      return ofVersion(found.find((one) => one !== undefined) ?? '');
    },
    ofClient(answer) {
      const [, name = '', tag] = /^([\w-]+)\/(v\d+\.\d+\.\d+)/.exec(answer) ?? [];
      return tag === undefined || name !== product || !client.test(answer) ? null : ofVersion(tag);
    },
  };
}
