/** Unknown parts of texts, as people read them. */
import { expect, test } from 'vitest';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { maskPlaceholders, ownFolder, unfilled } from '../../../../src/node/sources/text/placeholders.js';
import { showText, withoutPlaceholders } from '../../../../src/node/sources/text/unknown.js';

test('shown names an unknown part as its file writes it', () => {
  const written = '{{ .Release.Name }}-geth';
  const { text } = maskPlaceholders(written);
  expect(showText(Placed.at(new LineIndex('a.yaml', text, written)))).toBe(written);
  const word = Placed.at(new LineIndex('a.sh', '${DIR}/a.js'));
  expect(showText(Placed.join([word.as(unfilled), word.slice(6)]))).toBe('${DIR}/a.js');
  expect(showText(Placed.at(new LineIndex('a.sh', 'x')).as(`${unfilled}/a`))).toBe('…/a');
});

test('withoutPlaceholders writes an ellipsis for a placeholder without a name', () => {
  const given = { a: [`x${unfilled.repeat(9)}y`, 1, null], b: { c: `${ownFolder}/run.sh` } };
  expect(withoutPlaceholders(given)).toEqual({ a: ['x…y', 1, null], b: { c: 'run.sh' } });
});
