import { expect, test } from 'vitest';
import { maskPlaceholders, unfilled } from '../../../../src/node/sources/text/placeholders.js';

test.each([
  'PORT={%_1!x\ndeclare -x Y={%}',
  'Y=+{%0%}+z',
  'X={#a#}',
  'N=${#X} M=${X%%_*}',
  'A={{\nB=${X:-${Y}}',
  'A={{"${X:-${Y}}"',
  'A=$\\${a[=.}',
  'ken "${OPTS[@]}" ${OPTS[*]:1} ${OPTS[$I]}',
  'cd "${BASH_SOURCE[0]%/*}"; [ ${PIPESTATUS[0]} = 0 ]',
  'A=(1 2); ken ${A[0]}',
  'A=${B[X]}',
  'A[1]=2; ken ${A[1]}',
  'mapfile -t A < file; ken ${A[1]}',
  "docker ps --format '{{.Names}}' | grep -q geth",
  "docker inspect -f '{{ .State.Running }} {{.Id}}' geth",
  'docker ps --format {{.Names}}',
  'sed -i -e "s/{{PORT}}/$PORT/g" -e s/{{HOST}}/$HOST/ f; sed "s|@DIR@|$DIR|" f',
])('an expansion of bash is no template: %j', (text) => {
  expect(maskPlaceholders(text)).toEqual({ text, optional: null });
});

test.each([
  ['{%- if a %}', ' '.repeat(11)],
  ['{# why #}', ' '.repeat(9)],
  ['{{ api }}', unfilled.repeat(9)],
  ['{{/* why\nnot */}}', ' '.repeat(17)],
  ['${hosts[0]}', unfilled.repeat(11)],
  ['${hosts[*].id}', unfilled.repeat(14)],
  ['{{ $api | quote }}', unfilled.repeat(18)],
  ["echo 's/a/{{ b }}/'", `echo 's/a/${unfilled.repeat(7)}/'`],
  ['compose -f {{ file }}', `compose -f ${unfilled.repeat(10)}`],
])('%j is a template', (text, masked) => {
  expect(maskPlaceholders(`A=1\n${text}\n`).text).toBe(`A=1\n${masked}\n`);
});
