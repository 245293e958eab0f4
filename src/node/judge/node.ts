/** Settings as rules see them: together with what is known of the kind of node they are for. */
import type { Settings } from '../facts/settings.js';
import type { Kind } from '../kinds/kind.js';

export interface NodeSettings extends Settings {
  readonly nodeKind: Kind;
}
