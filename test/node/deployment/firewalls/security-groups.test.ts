import { describe, expect, test } from 'vitest';
import { closedPorts } from '../../../../src/node/deployment/firewalls/closed-ports.js';
import { groupsOf } from '../../../../src/node/deployment/firewalls/security-groups.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';

const group = (rules: string, name = 'node') => `resource "aws_security_group" "${name}" {\n${rules}\n}\n`;
const ingress = (sources: string, ports = '8551', protocol = '"tcp"') =>
  `  ingress {\n from_port = ${ports}\n to_port = ${ports}\n protocol = ${protocol}\n ${sources}\n }`;
const office = ingress('cidr_blocks = ["10.0.0.0/8", "192.168.7.7/32"]');
const instance = (
  groups = '[aws_security_group.node.id]',
  data = 'file("${path.module}/start.sh")',
  more = '',
) =>
  `resource "aws_instance" "node" {\n  vpc_security_group_ids = ${groups}\n  user_data = ${data}\n${more}\n}\n`;
const known = group(office) + instance();

/** Who gets through to a port of the instances that run `start.sh`, over IPv4 and over IPv6. */
function through(files: Readonly<Record<string, string>>, port = 8551): string {
  const all = Object.entries(files).map(([path, text]) => new LineIndex(path, text));
  const closed = closedPorts(groupsOf(all).get('tf/start.sh') ?? []);
  const of = (to: string) => {
    const found = closed.find(({ ports: [low, high], of: one }) => one === to && low <= port && port <= high);
    return found === undefined ? 'any any' : `${found.ipv4} ${found.ipv6}`;
  };
  // A group stands before the machine: a port of a container is closed as one of the machine is.
  expect(of('container')).toBe(of('machine'));
  return of('machine');
}
const rule = (type: string, text: string) => `resource "${type}" "more" {\n${text}\n}\n`;
const beside = (own: string, of = 'aws_security_group.node.id') =>
  rule('aws_security_group_rule', `security_group_id = ${of}\ntype = "ingress"\nprotocol = "tcp"\n${own}`);
const ports = (low: string, high = low) => `from_port = ${low}\nto_port = ${high}\n`;

describe('a security group lets in', () => {
  test.each<[string, string, string]>([
    ['nothing without a rule', group(''), 'loopback loopback'],
    ['the networks of a rule', group(office), 'private loopback'],
    ['the networks of several rules', group(office + ingress('ipv6_cidr_blocks = ["::/0"]')), 'private any'],
    ['every address', group(ingress('cidr_blocks = ["0.0.0.0/0"]')), 'any loopback'],
    ['other ports', group(ingress('cidr_blocks = ["0.0.0.0/0"]', '443')), 'loopback loopback'],
    ['another protocol', group(ingress('cidr_blocks = ["0.0.0.0/0"]', '8551', '"udp"')), 'loopback loopback'],
    ['TCP by its number', group(ingress('cidr_blocks = ["0.0.0.0/0"]', '8551', '6')), 'any loopback'],
    ['every protocol', group(ingress('cidr_blocks = ["0.0.0.0/0"]', '0', '"-1"')), 'any loopback'],
    ['other groups', group(ingress('security_groups = [aws_security_group.app.id]')), 'private private'],
    ['itself', group(ingress('self = true')), 'private private'],
    ['nothing of itself', group(ingress('self = false')), 'loopback loopback'],
    ['a list of prefixes', group(ingress('prefix_list_ids = ["pl-1"]')), 'any any'],
    ['an empty list', group(ingress('cidr_blocks = []')), 'loopback loopback'],
    ['a variable', group(ingress('cidr_blocks = var.office')), 'any any'],
    ['a variable in a list', group(ingress('cidr_blocks = ["10.0.0.0/8", var.office]')), 'any any'],
    ['a variable in a string', group(ingress('cidr_blocks = ["${var.office}/8"]')), 'any any'],
    ['a variable port', group(ingress('cidr_blocks = ["0.0.0.0/0"]', 'var.port')), 'any loopback'],
    ['a variable protocol', group(ingress('cidr_blocks = ["0.0.0.0/0"]', '1', 'var.x')), 'any loopback'],
    [
      'what leaves',
      group(`egress {\n${ports('0')} protocol = "-1"\n cidr_blocks = ["0.0.0.0/0"]\n}`),
      'loopback loopback',
    ],
    [
      'a rule beside it',
      group(office) + beside(`${ports('8000', '9000')}cidr_blocks = ["0.0.0.0/0"]`),
      'any loopback',
    ],
    [
      'a rule of another',
      group(office) +
        group('', 'b') +
        beside(`${ports('8551')}cidr_blocks = ["0.0.0.0/0"]`, 'aws_security_group.b.id'),
      'private loopback',
    ],
    [
      'a rule of an unknown group',
      group(office) + beside(`${ports('8551')}cidr_blocks = ["0.0.0.0/0"]`, 'var.group'),
      'any loopback',
    ],
    [
      'a rule of the newer kind',
      group('') +
        rule(
          'aws_vpc_security_group_ingress_rule',
          `security_group_id = aws_security_group.node.id\nip_protocol = "tcp"\n${ports('8551')}cidr_ipv4 = "10.1.0.0/16"`,
        ),
      'private loopback',
    ],
  ])('%s', (_, text, expected) => {
    expect(through({ 'tf/main.tf': text + instance() })).toBe(expected);
  });

  test('the networks of all groups of an instance', () => {
    const both = '[\n  aws_security_group.node.id,\n  aws_security_group.open[0].id,\n]';
    const open = group(ingress('cidr_blocks = ["0.0.0.0/0"]'), 'open');
    expect(through({ 'tf/a.tf': group(office) + open, 'tf/b.tf': instance(both) })).toBe('any loopback');
  });

  test('the widest of all instances that run the file', () => {
    const other = instance('[aws_security_group.open.id]').replace('"node"', '"second"');
    const open = group(ingress('cidr_blocks = ["0.0.0.0/0"]'), 'open');
    expect(through({ 'tf/main.tf': known + other + open })).toBe('any loopback');
  });
});

test('the place of the group is the evidence', () => {
  const [ruleset] = groupsOf([new LineIndex('tf/main.tf', `\n${known}`)]).get('tf/start.sh') ?? [];
  expect(closedPorts([ruleset as NonNullable<typeof ruleset>])[0]?.by).toEqual(['tf/main.tf:2']);
});

test.each([
  'templatefile("${path.module}/start.sh", { port = 1 })',
  'base64encode(file("${path.module}/start.sh"))',
  'file("./start.sh")',
])('%s is the file', (data) => {
  expect(through({ 'tf/main.tf': group(office) + instance(undefined, data) })).toBe('private loopback');
});

describe('nothing is closed with', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['a file that is not read', { 'tf/main.tf': known, 'tf/b.tf': 'x {' }],
    ['a file that overrides', { 'tf/main.tf': known, 'tf/b_override.tf': '' }],
    ['a load balancer', { 'tf/main.tf': known, 'lb/main.tf': rule('aws_lb_target_group', '') }],
    [
      'a group added elsewhere',
      { 'tf/main.tf': known, 'x/a.tf': rule('aws_network_interface_sg_attachment', '') },
    ],
    ['a group of a module', { 'tf/main.tf': group(office) + instance('[module.a.id]') }],
    [
      'one known group of two',
      { 'tf/main.tf': group(office) + instance('[aws_security_group.node.id, var.a]') },
    ],
    ['a list of groups', { 'tf/main.tf': group(office) + instance('var.groups') }],
    ['no group', { 'tf/main.tf': group(office) + instance('[]') }],
    ['a group of another folder', { 'x/main.tf': group(office), 'tf/main.tf': instance() }],
    ['rules in a list', { 'tf/main.tf': group('ingress = [{ from_port = 1 }]') + instance() }],
    [
      'rules that are made',
      { 'tf/main.tf': group('dynamic "ingress" {\n for_each = var.a\n}') + instance() },
    ],
    [
      'a network interface',
      { 'tf/main.tf': group(office) + instance(undefined, undefined, 'network_interface {}') },
    ],
    [
      'a launch template',
      { 'tf/main.tf': group(office) + instance(undefined, undefined, 'launch_template {}') },
    ],
    [
      'a module that is told of the instance',
      { 'tf/main.tf': `${known}module "m" {\n a = aws_instance.node.id\n}` },
    ],
    [
      'a module that is told of the group',
      { 'tf/main.tf': `${known}module "m" {\n a = { b = aws_security_group.node.id }\n}` },
    ],
    [
      'a template that runs the file, too',
      {
        'tf/main.tf': `${known}resource "aws_launch_template" "a" {\n user_data = filebase64("start.sh")\n}`,
      },
    ],
    ['another file', { 'tf/main.tf': group(office) + instance(undefined, 'file("other.sh")') }],
  ])('%s', (_, files) => {
    expect(through(files)).toBe('any any');
  });
});
