import { describe, expect, test } from 'vitest';
import { type Block, parseHcl } from '../../../../src/node/deployment/firewalls/hcl.js';

interface Shown {
  readonly [name: string]: string | readonly Shown[];
}

/** Attributes by name, and blocks by type and labels. */
function shown({ attributes, blocks }: Block): Shown {
  const inner = blocks.map((block) => [[block.type, ...block.labels].join(' '), [shown(block)]] as const);
  return { ...Object.fromEntries(attributes), ...Object.fromEntries(inner) };
}

describe('parseHcl', () => {
  test.each<[string, Shown]>([
    ['', {}],
    ['a = 1', { a: '1' }],
    ['a = 1 # one\nb = "x # y" // two\n/* three\n */ c = true', { a: '1', b: '"x # y"', c: 'true' }],
    ['a = [\n  1, # one\n  2,\n]\nb = 2', { a: '[\n  1, \n  2,\n]', b: '2' }],
    ['a = { b = "}" }\nc = 1', { a: '{ b = "}" }', c: '1' }],
    ['a = "${f("}")}"\nb = 1', { a: '"${f("}")}"', b: '1' }],
    ['a = "%{ if x }y%{ endif }"\nb = 1', { a: '"%{ if x }y%{ endif }"', b: '1' }],
    ['a = "\\"" \nb = 1', { a: '"\\""', b: '1' }],
    ['a = <<-EOF\n  } b = 2 "\n  EOF\nc = 1', { a: '<<-EOF\n  } b = 2 "\n  EOF', c: '1' }],
    ['a = <<EOF\nEOF\nc = 1', { a: '<<EOF\nEOF', c: '1' }],
    ['resource "x" "y" {\n  a = 1\n}', { 'resource x y': [{ a: '1' }] }],
    ['x y { a = 1 }', { 'x y': [{ a: '1' }] }],
    ['x {\n  y {\n    a = 1\n  }\n}', { x: [{ y: [{ a: '1' }] }] }],
  ])('%j', (text, expected) => {
    expect(shown(parseHcl(text) as Block)).toEqual(expected);
  });

  test.each([
    'x',
    'x {',
    'x "a {}',
    'x { } }',
    '= 1',
    'a = "b',
    'x "${a}" {}',
    `${'x {'.repeat(60)}${'}'.repeat(60)}`,
  ])('%j is another language', (text) => {
    expect(parseHcl(text)).toBeNull();
  });

  test('a block has its place', () => {
    expect(parseHcl('a = 1\nx {}\n')?.blocks[0]?.start).toBe(6);
  });
});
