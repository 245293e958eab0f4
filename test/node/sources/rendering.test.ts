/** What a template is told to be rendered with. */
import { expect, test } from 'vitest';
import { templateOf } from '../../../src/node/sources/rendering.js';

const helm = 'helm template CHART | kaiactl node lint -';
const terraform = 'let terraform write it (local_file, templatefile) and lint the result';
const gomplate = 'gomplate -f FILE | kaiactl node lint -';
const jinja = 'jinja2 FILE VARIABLES.yml | kaiactl node lint -';

test.each([
  ['a: {{ .Values.a }}', helm],
  ['a: {{- include "x" .Values.b }}', helm],
  ['a: {{.Release.Name}}', helm],
  ['a: {{-  toYaml .Chart.Name }}', helm],
  ['a: {{ b }} }.Values', jinja],
  ['a: {{ .Valuesx }}', gomplate],
  ['a: ${var.a}', terraform],
  ['a: ${a1.b}', terraform],
  ['a: ${1.b} {{ a }}', jinja],
  ['a: {{ .Env.A }}', gomplate],
  ['a: {{$a}}', gomplate],
  ['a: {{-if a}}', gomplate],
  ['a: {{-  end }}', gomplate],
  ['a: {{ endless }}', jinja],
  ['a: @A@', jinja],
])('%s: %s', (text, how) => {
  expect(templateOf('f', text, false)).toMatchObject({
    inserted: [],
    note: `f is a template with unknown values; render it first: ${how}`,
  });
});

test.each(['roles/n/defaults/main.yml', 'group_vars/all.yml', 'deploy\\host_vars\\a.yml'])(
  'Ansible fills in what stands in %s',
  (path) => {
    expect(templateOf(path, 'a: {{ b }}', true).note).toContain('ansible-playbook with --check --diff');
    expect(templateOf(path, 'a: {{ .Values.b }}', true).note).toContain(helm);
  },
);

test('lines of YAML of which nothing is known are taken out, and stay as long as they were', () => {
  const text = 'a:\n  {{ b }}\n  c: {{ d }}\n{{e}}  \n';
  expect(templateOf('f', text, true)).toMatchObject({
    text: `a:\n${' '.repeat(9)}\n  c: ${'\uFDD0'.repeat(7)}\n${' '.repeat(7)}\n`,
    inserted: [
      { start: 3, end: 12 },
      { start: 26, end: 33 },
    ],
  });
  expect(templateOf('f', text, false).inserted).toEqual([]);
  expect(templateOf('f', 'a: ${B}\n', true)).toEqual({ text: 'a: ${B}\n', inserted: [], note: null });
});

test.each([
  "docker ps --format '{{.Names}}' | grep -q geth",
  'docker ps --format "table {{.ID}}\\t{{.Names}}"',
  "docker inspect -f '{{range .Networks}}{{.IPAddress}}{{end}}' n",
  'docker inspect --format={{.State.Running}} n',
  "kubectl get po -o go-template='{{.items}}'",
])('%s makes no template of a script', (text) => {
  expect(templateOf('f', text, false).note).toBe(null);
  expect(templateOf('f', `${text}\ngeth {{ b }}`, false).note).toContain(jinja);
});

test.each([
  ['tag: "{{.Name}}/{{ .ImageName }}"', null],
  ['tag: "{{.Name}}" {{ .Env.A }}', gomplate],
])('the tags of Docker’s logs alone make no template: %s', (text, how) => {
  const note = how === null ? null : expect.stringContaining(how);
  expect(templateOf('f', text, true).note).toEqual(note);
});
