/** Templates that include those of a chart that is not among the files, and that print lists. */
import { expect, test } from 'vitest';
import { Renderer } from '../../../../../src/node/sources/kubernetes/helm/render.js';
import { parseTemplate } from '../../../../../src/node/sources/kubernetes/helm/template.js';
import { LineIndex } from '../../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../../src/node/sources/text/placed.js';
import { showText } from '../../../../../src/node/sources/text/unknown.js';
import { readYaml } from '../../../../../src/node/sources/yaml/document.js';

const values = 'Values: { flags: [--ws, "--ws.addr=::"], none: [] }';

test.each([
  ['{{ range .Values.flags }}- {{ . | quote }} {{ end }}', '- "--ws" - "--ws.addr=::" '],
  ['{{ .Values.flags }}{{ .Values.none }}', '[--ws --ws.addr=::][]'],
  ['{{ $_ := set .Values "none" "eth" }}{{ .Values.none }}', 'eth'],
  ['{{ $_ := set $.Values "a" (dict "b" "c") }}{{ $_ = set .Values.a "b" "d" }}{{ .Values.a.b }}', 'd'],
  [
    '{{ $a := dict }}{{ $_ := set $a "b" "c" }}{{ $_ = merge $a (dict "b" "d" "e" "f") }}{{ $a.b }}{{ $a.e }}',
    'cf',
  ],
  ['{{ $_ := mergeOverwrite .Values (dict "none" "eth") }}{{ .Values.none }}', 'eth'],
  ['name: {{ include "shared.name" . }}-0', 'name: {{ include "shared.name" . }}-0'],
  [
    'labels:{{- include "shared.labels" . | nindent 2 }}',
    'labels:\n  {{- include "shared.labels" . | nindent 2 }}',
  ],
  ['{{ include "shared.name" . | trunc 63 }}', '{{ include "shared.name" . | trunc 63 }}'],
])('%s prints %s', (text, expected) => {
  const [document] = readYaml(new LineIndex('values.yaml', values));
  if (document?.root == null) throw new Error('no values');
  const renderer = new Renderer(document.root, {
    at: () => null,
    defining: () => null,
    outside: () => undefined,
    holds: () => false,
  });
  const template = Placed.at(new LineIndex('templates/pod.yaml', text));
  expect(showText(template.joined(renderer.render(parseTemplate(template))))).toBe(expected);
});

test.each([
  [true, 'a'],
  [false, ''],
])('a condition that an unknown template decides is assumed to be %s', (holds, expected) => {
  const [document] = readYaml(new LineIndex('values.yaml', values));
  if (document?.root == null) throw new Error('no values');
  const files = { at: () => null, defining: () => null, outside: () => undefined, holds: () => holds };
  const template = Placed.at(new LineIndex('templates/pod.yaml', '{{ if include "shared.on" . }}a{{ end }}'));
  const printed = new Renderer(document.root, files).render(parseTemplate(template));
  expect(template.joined(printed).text).toBe(expected);
});
