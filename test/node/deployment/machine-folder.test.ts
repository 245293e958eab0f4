import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { includedPaths } from '../../../src/node/deployment/machine-folder.js';

describe('includedPaths', () => {
  const paths = [
    'd/nginx.conf',
    'd/allow.conf',
    'd/conf.d/b.conf',
    'd/conf.d/a.conf',
    'd/conf.d/.hidden.conf',
    'd/en/etc/nginx/conf.d/en.conf',
  ];
  const included = (words: string, from = 'd/nginx.conf') =>
    includedPaths(words, from, 'd', (folder) => paths.filter((path) => dirname(path) === folder));

  test.each<[string, readonly string[] | null, string?]>([
    ['allow.conf', ['d/allow.conf']],
    ['conf.d/*.conf', ['d/conf.d/a.conf', 'd/conf.d/b.conf']],
    ['conf.d/?.conf', ['d/conf.d/a.conf', 'd/conf.d/b.conf']],
    ['conf.d/a*', ['d/conf.d/a.conf']],
    ['/etc/nginx/conf.d/*', ['d/conf.d/a.conf', 'd/conf.d/b.conf']],
    ['/etc/nginx/allow.conf', ['d/allow.conf'], 'd/conf.d/a.conf'],
    ['/etc/nginx/conf.d/*', ['d/en/etc/nginx/conf.d/en.conf'], 'd/en/etc/nginx/nginx.conf'],
    ['missing.conf', null],
    ['*/a.conf', null],
    ['conf.d/[ab].conf', null],
    ['conf.d/$name.conf', null],
    ['conf-d/a.conf', null],
    ['conf.d/aXconf', null],
  ])('%s is %j', (words, expected, from) => {
    expect(included(words, from)).toEqual(expected);
  });

  test('a pattern of many stars ends', () => {
    const many = `${'*a'.repeat(40)}b`;
    expect(includedPaths(many, 'd/x.conf', 'd', () => [`d/${'a'.repeat(200)}`])).toBeNull();
  });
});
