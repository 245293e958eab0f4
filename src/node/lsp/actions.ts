/** The fixes of findings, as quick fixes of an editor. */
import type { CodeAction, Range, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { groupBy } from '../../util/group-by.js';
import { visible } from '../../util/visible.js';
import type { Edit, FixReport } from '../facts/report.js';
import type { Shown } from './diagnostics.js';
import { textEdits, touch } from './place.js';

/** Characters of a title that are the fix. */
const maxLength = 100;

/** An editor with `documentChanges` refuses edits of another version than the fix was found in. */
export interface Editor {
  readonly hasDocumentChanges: boolean;
  uriOf(file: string): string;
  /** Returns null if the file is not open. */
  versionOf(file: string): number | null;
}

/** The quick fixes of the diagnostics at a range, in their order. A safe fix is the preferred one of its finding. */
export function actionsAt(range: Range, shown: readonly Shown[], editor: Editor): CodeAction[] {
  return shown
    .filter(({ diagnostic }) => touch(diagnostic.range, range))
    .flatMap(({ diagnostic, fixes }) =>
      fixes.flatMap((one, at) => {
        const edit = workspaceEdit(one.edits, editor);
        const isPreferred = at === 0 && one.safety === 'safe';
        const action = { title: titleOf(one), kind: 'quickfix', diagnostics: [diagnostic], isPreferred };
        return edit === null ? [] : [{ ...action, edit }];
      }),
    );
}

function titleOf({ fix, safety }: FixReport): string {
  const title = visible(fix.replace(/\.$/, ''), maxLength);
  return safety === 'safe' ? title : `${title} (unsafe: changes how the node starts)`;
}

/** null where an edit cannot be made in an editor. */
function workspaceEdit(edits: readonly Edit[], editor: Editor): WorkspaceEdit | null {
  const byFile = [...groupBy(edits, ({ file }) => file)].map(([file, own]) => ({
    uri: editor.uriOf(file),
    version: editor.versionOf(file),
    edits: textEdits(own),
  }));
  const all = byFile.flatMap(({ edits: own, ...document }) =>
    own === null ? [] : [{ document, edits: own }],
  );
  if (all.length < byFile.length) return null;
  return editor.hasDocumentChanges
    ? { documentChanges: all.map(({ document, edits: own }) => ({ textDocument: document, edits: own })) }
    : { changes: Object.fromEntries(all.map(({ document, edits: own }) => [document.uri, own])) };
}
