/** Reads `#cloud-config` user data: the files that cloud-init writes, then the commands that it runs. */
import { gunzipSync } from 'node:zlib';
import type { Context, Launches } from '../launch/launch.js';
import type { Action } from '../script/followed-files.js';
import { launchesOnMachine } from '../script/script.js';
import type { LineIndex } from '../text/line-index.js';
import { Placed } from '../text/placed.js';
import { unfilled } from '../text/placeholders.js';
import { readYaml } from '../yaml/document.js';
import { itemsAt, type Tree, textAt } from '../yaml/tree.js';

/** Reads `bootcmd`, `write_files` and `runcmd`. */
export function readCloudInit(file: LineIndex, context: Context): Launches {
  const [document] = readYaml(file);
  const root = document?.root ?? null;
  const actions = [
    ...commandsOf(root?.get('bootcmd') ?? null),
    ...itemsAt(root, 'write_files').flatMap((one) => writeOf(one) ?? []),
    ...commandsOf(root?.get('runcmd') ?? null),
  ];
  const launches = launchesOnMachine(file, context, { actions });
  return { launches, problems: document?.problem == null ? [] : [document.problem], notes: [] };
}

function writeOf(entry: Tree): Action | null {
  const path = entry.get('path')?.text ?? null;
  const content = entry.get('content')?.text ?? path?.as('') ?? null;
  if (path === null || content === null) return null;
  const mode = entry.get('append')?.value === true ? 'append' : 'replace';
  return { path: path.text, text: decoded(content, textAt(entry, 'encoding')), mode };
}

/** A larger content, in bytes, is not unpacked. */
const maxContent = 1024 * 1024;

/** The content as it is written; with an encoding that cannot be read it is not known. */
function decoded(content: Placed, encoding: string): Placed {
  const [known, isPacked, isBase64] = /^(gz(?:ip)?)?(?:(?:^|\+)(b(?:ase)?64))?$/.exec(encoding) ?? [];
  if (known === '' || encoding === 'text/plain') return content;
  try {
    if (isBase64 === undefined) return content.as(`${unfilled}\n`);
    const bytes = Buffer.from(content.text, 'base64');
    const text = isPacked === undefined ? bytes : gunzipSync(bytes, { maxOutputLength: maxContent });
    return content.as(text.toString('utf8'));
  } catch {
    return content.as(`${unfilled}\n`);
  }
}

/** Texts are lines of one script, and a list is one command. */
function commandsOf(list: Tree | null): Action[] {
  const actions: Action[] = [];
  let lines: Placed[] = [];
  const endScript = () => {
    if (lines.length > 0) actions.push({ script: Placed.join(lines) });
    lines = [];
  };
  for (const { text, items } of list?.items ?? []) {
    if (text !== null) lines.push(text, text.as('\n'));
    else {
      endScript();
      actions.push({ words: items.flatMap((item) => item.text ?? []) });
    }
  }
  endScript();
  return actions;
}
