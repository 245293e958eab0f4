/** References between manifests, found in their texts: a folder may hold thousands that no node needs, and these are not parsed. */
import type { Kind } from '../../kinds/kind.js';

const configuration = /\bkind["']?[ \t]*:[ \t]*["']?(?:ConfigMap|Secret)\b/;
const reference = /\b(?:configMap|secret)(?:Ref|KeyRef)?["']?[ \t]*:/;
const nameOf = /\b(?:secretN|n)ame["']?[ \t]*:[ \t]*["']?([\w.-]+)/g;

/** Whether a text names a node, or has a flag that few other programs have. */
export function namesNode(kinds: readonly Kind[], text: string): boolean {
  return kinds.some(({ signs: { name, flag } }) => name.test(text) || flag.test(text));
}

/** The names in a text that defines ConfigMaps or Secrets; empty if it defines none. */
export function configuredNames(text: string): string[] {
  return configuration.test(text) ? namesIn(text) : [];
}

/** The names in a text that refers to ConfigMaps or Secrets; empty if it refers to none. */
export function referredNames(text: string): string[] {
  return reference.test(text) ? namesIn(text) : [];
}

function namesIn(text: string): string[] {
  return [...text.matchAll(nameOf)].map(([, name = '']) => name);
}
