/** Which launcher of which package a conf belongs to, from its name, its folder and what it says. */
import { type Launcher, launchers, type Package } from '../model/conf.js';

export interface Inferred {
  readonly launcher: Launcher;
  readonly package: Package;
  /** For people: "file name, folder". */
  readonly from: string;
}

/** Infers what was not asked for. Without any sign: kend of the tar package. */
export function infer(
  path: string,
  text: string,
  asked: { readonly launcher?: Launcher | undefined; readonly package?: Package | undefined },
): Inferred {
  const [launcher, how] = asked.launcher ? [asked.launcher, '--launcher'] : inferLauncher(path, text);
  const [from, why] = asked.package ? [asked.package, '--package'] : inferPackage(path, text);
  return { launcher, package: from, from: how === why ? how : `${how}, ${why}` };
}

const names = launchers.join('|');

function inferLauncher(path: string, text: string): [Launcher, string] {
  const file = new RegExp(`(?:^|[/\\\\.-])(${names})(?:_kairos)?(?:\\.conf)?(?:\\.|$)`).exec(
    path.slice(path.lastIndexOf('/') + 1),
  );
  if (file !== null) return [file[1] as Launcher, 'file name'];
  const folder = new RegExp(`/(${names})(?:-[^/]*)?/(?:[^/]+/)?[^/]*$`).exec(path);
  if (folder !== null) return [folder[1] as Launcher, 'folder'];
  const head = text.slice(0, 2000);
  const comment = new RegExp(`^#[^\\n]*\\b(${names})\\b`, 'm').exec(head);
  if (comment !== null) return [comment[1] as Launcher, 'comment in the file'];
  const place = new RegExp(
    `^\\s*(?:export\\s+)?(?:DATA_DIR|LOG_DIR)=["']?/var/(?:log/)?(${names})\\b`,
    'm',
  ).exec(text);
  if (place !== null) return [place[1] as Launcher, 'content'];
  if (/^\s*SCSIGNER(?:_PASSWD_FILE)?=/m.test(text)) return ['kscnd', 'content'];
  if (/^\s*(?:AUTHORIZED_NODES|KEY_PATH)=/m.test(text)) return ['kbnd', 'content'];
  return ['kend', 'default'];
}

function inferPackage(path: string, text: string): [Package, string] {
  if (new RegExp(`(?:^|/)etc/(?:${names})/conf/`).test(path)) return ['rpm', 'folder'];
  if (new RegExp(`(?:^|/)(?:${names})-[^/]*/conf/`).test(path)) return ['tar', 'folder'];
  const place = new RegExp(
    `^\\s*(?:export\\s+)?(?:DATA_DIR|LOG_DIR)=["']?/var/(?:log/)?(?:${names})\\b`,
    'm',
  );
  if (place.test(text)) return ['rpm', 'content'];
  return ['tar', 'default'];
}
