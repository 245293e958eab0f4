/** The recording of a terminal: a cast as a picture. */
import { expect, test } from 'vitest';
import { draw } from './recording.js';

test('a cast is drawn event by event, with colours, wide characters and escaped text', () => {
  const svg = draw([
    { version: 2, width: 10, height: 2 },
    [0.5, 'o', 'a<\u001b[1m\u001b[31mb\u001b[39m\u001b[22m한\n'],
    [1, 'o', ' c'],
  ]);
  expect(svg.match(/<text.*/g)).toEqual([
    expect.stringMatching(/x="12" y="25" textLength="16" .* class="o" style="animation-delay:0.50s">a&lt;</),
    expect.stringMatching(/x="28" y="25" textLength="8" .* class="o c1 c31" .*>b</),
    expect.stringMatching(/x="36" y="25" textLength="16" .* class="o" .*>한</),
    expect.stringMatching(/x="12" y="43" textLength="16" .*animation-delay:1.00s"> c</),
  ]);
  expect(() => draw([{ version: 2, width: 1, height: 1 }, [0, 'o', '\u001b[2J']])).toThrow('more than text');
});
