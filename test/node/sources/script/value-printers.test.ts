import { describe, expect, test } from 'vitest';
import { kinds } from '../../../../src/node/kinds/index.js';
import { Follower } from '../../../../src/node/sources/script/follow.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { unfilled } from '../../../../src/node/sources/text/placeholders.js';
import { Steps } from '../../../../src/node/sources/text/steps.js';
import { unknownIn } from '../../../../src/node/sources/text/unknown.js';

/** The words of the node that a script starts; `?`: what is unknown. */
function wordsOf(text: string) {
  const follower = new Follower({ kinds, steps: new Steps() });
  follower.follow(Placed.at(new LineIndex('run.sh', text)), new Map());
  return follower.starts.map(({ words }) =>
    words?.map((word) => word.text.replaceAll(unfilled, '?')).join(' '),
  );
}

describe('the output of a command that is not known may add words', () => {
  test.each([
    ['geth --bootnodes=$(nodes) --mine', '--bootnodes=? ? --mine'],
    ['geth --bootnodes `nodes` --mine', '--bootnodes ? ? --mine'],
    ['X=$(./nodes.sh)\ngeth --bootnodes=a,$X', '--bootnodes=a,? ?'],
    ['X="a,$(nodes)"\ngeth --bootnodes=$X', '--bootnodes=a,? ?'],
    ['ARGS=(--identity=$(name))\ngeth "${ARGS[@]}"', '--identity=? ?'],
    ['geth --nat=extip:$(curl -s ip.example || address)', '--nat=extip:? ?'],
    ['f() { echo "a --http"; }\ngeth --identity=$(f)', '--identity=? ?'],
  ])('%s', (text, words) => {
    expect(wordsOf(text)).toEqual([words]);
  });
});

describe('a single value adds no word', () => {
  test.each([
    ['geth --bootnodes="$(nodes)" --mine', '--bootnodes=? --mine'],
    ['X=$(nodes)\ngeth --bootnodes="$X"', '--bootnodes=?'],
    ['geth --nat=extip:$(curl -s ip.example)', '--nat=extip:?'],
    ['geth --nodekeyhex $(cat key | jq -r ".a | .b")', '--nodekeyhex ?'],
    ['geth --identity=$(hostname -s) --maxpeers $(($N + 1))', '--identity=? --maxpeers ?'],
    ['geth --identity=$1 --port $PORT', '--identity=? --port ?'],
    ['f() { curl -s ip.example; }\ngeth --identity=$(f)', '--identity=?'],
  ])('%s', (text, words) => {
    expect(wordsOf(text)).toEqual([words]);
  });
});

test('a word that an expansion may add has the place of the expansion', () => {
  const text =
    'IP=$(nodes)\nfor ((i = 0; i < N; i++)); do\n  geth --ethstats n-${i}:x@${IP}:3000 --port ${i}\ndone';
  const follower = new Follower({ kinds, steps: new Steps() });
  follower.follow(Placed.at(new LineIndex('run.sh', text)), new Map());
  const added = follower.starts[0]?.words?.find((word) => word.text === unfilled);
  expect(added === undefined ? null : unknownIn(added)).toBe('$(nodes) (run.sh:1)');
});
