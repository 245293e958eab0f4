/** What the commands of scripts that set up a firewall close. */
import { describe, expect, test } from 'vitest';
import { closedPorts } from '../../../../src/node/deployment/firewalls/closed-ports.js';
import { readCommands } from '../../../../src/node/deployment/firewalls/commands.js';
import { type Ruleset, Unread } from '../../../../src/node/deployment/firewalls/ruleset.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';

/** `any`, `private` or `loopback` over IPv4 and IPv6, with the lines that close the port. */
function reachAt(port: number, ruleset: Ruleset, of = 'machine'): string {
  const found = closedPorts([ruleset]).find(
    ({ ports: [low, high], of: one }) => one === of && low <= port && port <= high,
  );
  return found === undefined ? 'any any' : `${found.ipv4} ${found.ipv6} ${found.by.join(',')}`;
}

describe('commands', () => {
  const script = (...lines: readonly string[]) =>
    readCommands(new LineIndex('f', ['#!/bin/sh', 'set -e', ...lines, ''].join('\n')));

  test.each<[string, readonly string[], string]>([
    ['ufw', ['ufw default deny incoming', 'ufw allow ssh', 'ufw --force enable'], 'loopback loopback f:3'],
    [
      'ufw, which asks',
      ['apt-get install -y ufw', 'sudo ufw default deny', 'echo "y" | sudo ufw enable'],
      'loopback loopback f:4',
    ],
    ['an allowed port', ['ufw default deny', 'ufw allow 8551/tcp', 'ufw enable'], 'any any'],
    [
      'an allowed port of UDP',
      ['ufw default deny', 'ufw allow 8551/udp', 'ufw enable'],
      'loopback loopback f:3',
    ],
    ['allowed ports', ['ufw default deny', 'ufw allow 22,8551/tcp', 'ufw enable'], 'any any'],
    [
      'an allowed range',
      ['ufw default deny', 'ufw allow proto tcp to any port 8000:9000', 'ufw enable'],
      'any any',
    ],
    ['a limited port', ['ufw default deny', 'ufw limit 8551', 'ufw enable'], 'any any'],
    [
      'a network',
      [
        'ufw default deny',
        "ufw allow from 10.0.0.0/8 to any port 8551 proto tcp comment 'lan'",
        'ufw enable',
      ],
      'private loopback f:3',
    ],
    [
      'a network and another port',
      ['ufw default deny', 'ufw allow from 10.0.0.0/8 to any port 22', 'ufw enable'],
      'loopback loopback f:3',
    ],
    ['a public address', ['ufw default deny', 'ufw allow from 192.0.2.1', 'ufw enable'], 'any loopback f:3'],
    ['a profile that is not known', ['ufw default deny', "ufw allow 'Nginx Full'", 'ufw enable'], 'any any'],
    ['an interface', ['ufw default deny', 'ufw allow in on eth1', 'ufw enable'], 'any any'],
    ['what is sent', ['ufw default deny', 'ufw allow out 8551', 'ufw enable'], 'loopback loopback f:3'],
    ['a denied port', ['ufw default allow', 'ufw deny 8551', 'ufw enable'], 'loopback loopback f:4'],
    [
      'a port that is allowed, then denied',
      ['ufw default deny', 'ufw allow 8551', 'ufw deny 8551', 'ufw enable'],
      'any any',
    ],
    [
      'iptables',
      ['iptables -F', 'iptables -A INPUT -i lo -j ACCEPT', 'iptables -P INPUT DROP'],
      'loopback any f:5',
    ],
    [
      'iptables of both families',
      [
        'iptables -F',
        'ip6tables -F',
        'iptables -A INPUT -p tcp --dport 8551 -j DROP',
        '/usr/sbin/ip6tables -P INPUT DROP',
      ],
      'loopback loopback f:5,f:6',
    ],
    [
      'ufw that is reset, then set up',
      ['ufw allow 8551', 'ufw --force reset', 'ufw default deny', 'ufw enable'],
      'loopback loopback f:5',
    ],
    [
      'ufw that is disabled, then enabled',
      ['ufw disable', 'ufw default deny', 'ufw enable'],
      'loopback loopback f:4',
    ],
    [
      'the policy of what is sent',
      ['ufw default deny', 'ufw default allow outgoing', 'ufw enable'],
      'loopback loopback f:3',
    ],
    [
      'the policy of what comes in',
      ['ufw default allow', 'ufw default reject in', 'ufw enable'],
      'loopback loopback f:4',
    ],
    [
      'commands of ufw that change no rule',
      [
        'ufw default deny',
        'ufw logging on',
        'ufw status verbose',
        'ufw app list',
        'ufw route allow 8551',
        'ufw enable',
      ],
      'loopback loopback f:3',
    ],
    ['a rejected port', ['ufw default allow', 'ufw reject 8551', 'ufw enable'], 'loopback loopback f:4'],
    [
      'a port that is logged',
      ['ufw default allow', 'ufw deny log 8551', 'ufw deny log-all 8552', 'ufw enable'],
      'loopback loopback f:4',
    ],
    [
      'a port of what comes in',
      ['ufw default allow', 'ufw deny in 8551', 'ufw enable'],
      'loopback loopback f:4',
    ],
    ['loopback', ['ufw default deny', 'ufw allow in on lo', 'ufw enable'], 'loopback loopback f:3'],
    [
      'a protocol',
      ['ufw default deny', 'ufw allow proto udp to any port 8551', 'ufw enable'],
      'loopback loopback f:3',
    ],
    ['any protocol', ['ufw default deny', 'ufw allow proto any to any port 8551', 'ufw enable'], 'any any'],
    [
      'a port with any protocol',
      ['ufw default allow', 'ufw deny 8551/any', 'ufw enable'],
      'loopback loopback f:4',
    ],
    [
      'an address of the machine',
      ['ufw default allow', 'ufw deny to 10.0.0.4 port 8551', 'ufw enable'],
      'any any',
    ],
    ['a port of the client', ['ufw default deny', 'ufw allow from any port 22', 'ufw enable'], 'any any'],
    [
      'a port of the client that is denied',
      ['ufw default allow', 'ufw deny from any port 8551', 'ufw enable'],
      'any any',
    ],
    ['a host name', ['ufw default deny', 'ufw allow from host.example', 'ufw enable'], 'any any'],
    [
      'a profile of another port',
      ['ufw default deny', 'ufw allow OpenSSH', 'ufw allow from any to any app OpenSSH', 'ufw enable'],
      'loopback loopback f:3',
    ],
    [
      'a comment with the words of a rule',
      ['ufw default deny', "ufw allow 22 comment 'in 8551'", 'ufw enable'],
      'loopback loopback f:3',
    ],
    [
      'comments and answers',
      ['# ufw disable', '  ufw default deny # all', 'yes | ufw enable', 'echo y | ufw status'],
      'loopback loopback f:4',
    ],
    [
      'programs with their folders',
      ['/usr/sbin/ufw default deny', 'sudo /sbin/ufw enable'],
      'loopback loopback f:3',
    ],
    ['ip6tables alone', ['ip6tables --flush', 'ip6tables -P INPUT DROP'], 'any loopback f:4'],
    [
      'a table that is named behind',
      ['iptables -F -t filter', 'iptables -A INPUT -j DROP'],
      'loopback any f:4',
    ],
    [
      'an unrelated command',
      ['ufw default deny', 'apt-get install -y "nftables"', 'systemctl enable ufw', 'ufw enable'],
      'loopback loopback f:3',
    ],
    ['another port', ['iptables -t filter -F', 'iptables -A INPUT -p tcp --dport 22 -j DROP'], 'any any'],
  ])('%s', (_, lines, reach) => {
    expect(reachAt(8551, script(...lines))).toBe(reach);
  });

  test.each<[string, readonly string[]]>([
    ['ufw without enable', ['ufw default deny']],
    ['ufw that is disabled', ['ufw default deny', 'ufw enable', 'ufw disable']],
    ['ufw that is reset last', ['ufw default deny', 'ufw enable', 'ufw --force reset']],
    ['a policy of what is sent alone', ['ufw default deny outgoing', 'ufw enable']],
    ['rules of both families, one of them not flushed', ['iptables -F', 'ip6tables -A INPUT -j DROP']],
    ['a rule that is inserted before others', ['iptables -I INPUT -j DROP']],
    ['a program that restores rules', ['iptables -F', 'iptables-restore /etc/x']],
    ['ufw without a policy', ['ufw allow 22', 'ufw enable']],
    ['a rule that is deleted', ['ufw default deny', 'ufw delete allow 22', 'ufw enable']],
    ['a variable', ['ufw default deny', 'ufw allow $PORT', 'ufw enable']],
    ['a condition', ['ufw default deny', 'if x; then', 'ufw allow 22', 'fi', 'ufw enable']],
    ['a condition in a line', ['test -x /usr/sbin/ufw || exit 0', 'ufw default deny', 'ufw enable']],
    ['a function', ['f() {', 'ufw default deny', '}', 'ufw enable']],
    ['an end', ['ufw default deny', 'exit', 'ufw enable']],
    ['another command with its name', ['ufw default deny', 'ufw enable', 'ssh other ufw disable']],
    ['a service that is stopped', ['ufw default deny', 'ufw enable', 'systemctl stop ufw']],
    ['rules that may be there before', ['iptables -A INPUT -j DROP']],
    ['a flush of another table', ['iptables -t nat -F', 'iptables -A INPUT -j DROP']],
    ['two programs', ['ufw default deny', 'ufw enable', 'iptables -F']],
    ['no command', []],
  ])('nothing is known with %s', (_, lines) => {
    expect(() => script(...lines)).toThrow(Unread);
  });
});
