import { expect, test } from 'vitest';
import { typedBy } from '../../../../src/node/sources/script/multiplexer.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { splitWords } from '../../../../src/node/sources/text/words.js';

test.each([
  ["screen -S n -X stuff 'geth --http^M'", ['geth --http']],
  ["screen -S n -p 0 -X stuff 'cd /d\\n./run.sh\\n'", ['cd /d', './run.sh']],
  ["tmux send-keys -t n 'geth --http' C-m", ['geth --http']],
  ['tmux send -t n geth Space --http Enter', ['geth --http']],
  ["tmux send-keys -t n -l 'geth --http'", ['geth --http']],
  ["tmux new-session -d -s n 'geth --http'", ['geth --http']],
  ['tmux -L s new -d -s n -e A=b geth --http', ['geth --http']],
  [
    "tmux new -d -s n ';' send-keys -t n 'geth --ws' Enter ';' splitw geth --http",
    ['geth --ws', 'geth --http'],
  ],
])('%s runs %j', (command, expected) => {
  const words = splitWords(Placed.at(new LineIndex('run.sh', command)));
  const found = typedBy(words)?.text.split('\n') ?? [];
  expect(found.map((line) => line.trim()).filter((line) => line !== '')).toEqual(expected);
});

test.each([
  'screen -dmS n geth --http',
  'tmux kill-session -t n',
  'tmux new -d -s n',
  'ssh h geth',
  'screen -X quit',
])('%s types nothing', (command) => {
  expect(typedBy(splitWords(Placed.at(new LineIndex('run.sh', command))))).toBeNull();
});
