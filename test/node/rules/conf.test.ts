/** What rules say of a conf, to the place: edges that no example shows. */

import { expect, test } from 'vitest';
import { redact } from '../../../src/util/redact.js';
import { exampleFacts } from '../editables.js';
import { confOf, type Outcome, outcomeOf, outcomeOfConf, sentencesOf } from './outcome.js';

test.each<[string, string, string[], (string | Outcome)[], number?]>([
  ['dropped-setting', 'blanks in a list', ['RPC_ENABLE=1', 'RPC_API="eth, net web3"'], ['pass']],
  [
    'dropped-setting',
    'a variable of another kind',
    ['RPC_ENABLE=1', 'RPC_CORSDOMAIN="a b"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_CORSDOMAIN',
        at: '4:16',
        edits: [{ at: '4:16-4:21', text: '"a,b"' }],
      },
    ],
  ],
  [
    'dropped-setting',
    'blanks in an address',
    ['RPC_ENABLE=1', 'RPC_ADDR="a b"'],
    ['fail', { severity: 'medium', subject: 'RPC_ADDR', at: '4:10' }],
  ],
  [
    'duplicate-setting',
    'the same value',
    ['RPC_PORT=1', 'RPC_PORT=1'],
    [
      'fail',
      {
        severity: 'low',
        subject: 'RPC_PORT',
        at: '4:1',
        edits: [{ at: '3:1-4:1', text: '' }],
        beside: ['3:1'],
      },
    ],
  ],
  [
    'duplicate-setting',
    'other values',
    ['RPC_PORT=1', 'RPC_PORT=2', 'RPC_PORT=3'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_PORT',
        at: '5:1',
        edits: [{ at: '3:1-5:1', text: '' }],
        beside: ['3:1', '4:1'],
      },
    ],
  ],
  [
    'duplicate-setting',
    'one that cannot be known',
    ['RPC_PORT=$(x)', 'RPC_PORT=2'],
    ['fail', { severity: 'medium', subject: 'RPC_PORT', at: '4:1', beside: ['3:1'] }],
  ],
  [
    'duplicate-setting',
    'the last that cannot be known',
    ['RPC_PORT=2', 'RPC_PORT=$(x)'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_PORT',
        at: '4:1',
        edits: [{ at: '3:1-4:1', text: '' }],
        beside: ['3:1'],
      },
    ],
  ],
  ['duplicate-setting', 'read in between', ['RPC_PORT=1', 'WS_PORT=$RPC_PORT', 'RPC_PORT=2'], ['pass']],
  [
    'duplicate-setting',
    'very often',
    Array.from({ length: 9 }, (_, at) => `RPC_PORT=${at}`),
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_PORT',
        at: '11:1',
        edits: [{ at: '3:1-11:1', text: '' }],
        beside: ['3:1', '4:1', '5:1', '6:1'],
      },
    ],
  ],
  [
    'embedded-command',
    'one',
    ['date'],
    ['fail', { severity: 'low', subject: 'command', at: '3:1', evidence: { commands: 1 } }],
  ],
  [
    'embedded-command',
    'several',
    ['date', 'ls', 'pwd', 'id', 'who'],
    [
      'fail',
      {
        severity: 'low',
        subject: 'command',
        at: '3:1',
        evidence: { commands: 5 },
        beside: ['4:1', '5:1', '6:1'],
      },
    ],
  ],
  ['embedded-command', 'none', ['X=1'], ['pass']],
  [
    'dropped-setting',
    'blanks around commas and at the ends',
    ['RPC_ENABLE=1', 'RPC_CORSDOMAIN=" a ,  b "'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_CORSDOMAIN',
        at: '4:16',
        edits: [{ at: '4:16-4:26', text: '"a,b"' }],
      },
    ],
  ],
  [
    'dropped-setting',
    'the line that counts',
    ['RPC_ENABLE=1', 'RPC_CORSDOMAIN="a"', 'RPC_CORSDOMAIN="a b"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_CORSDOMAIN',
        at: '5:16',
        edits: [{ at: '5:16-5:21', text: '"a,b"' }],
      },
    ],
  ],
  ['duplicate-setting', 'set once', ['RPC_PORT=1', 'WS_PORT=2'], ['pass']],
  ['duplicate-setting', 'set and unset', ['RPC_PORT=1', 'unset RPC_PORT'], ['pass']],
  [
    'homi-leftover',
    'the marker in any form, indented',
    ['  #docker-compose # x', 'NETWORK='],
    [
      'fail',
      {
        severity: 'low',
        subject: 'docker-compose',
        at: '3:3',
        edits: [
          { at: '3:1-4:1', text: '' },
          { at: '1:1-2:1', text: '' },
        ],
        beside: ['1:1'],
      },
    ],
  ],
  ['ineffective-switch', 'a number with letters behind', ['RPC_ENABLE="1a"'], ['pass']],
  [
    'inert-setting',
    'a timeout of zeros',
    ['RPC_READ_TIMEOUT=00'],
    ['fail', { severity: 'low', subject: 'RPC_READ_TIMEOUT', at: '3:1' }],
  ],
  ['inert-setting', 'a timeout that begins with zero', ['RPC_READ_TIMEOUT=02'], ['pass']],
  ['malformed-assignment', 'none', ['RPC_PORT=1'], ['pass']],
  [
    'opaque-value',
    'a file that is sourced',
    ['. /etc/more.conf'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'file',
        at: '3:1',
        evidence: { reason: 'a sourced file is not followed' },
      },
      '? indeterminate null',
    ],
  ],
  [
    'overriding-flag',
    'a flag that appears twice',
    ['RPC_ENABLE=1', 'RPC_PORT=3', 'ADDITIONAL="--rpcport 1 --rpcport 2"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'rpcport',
        at: '5:35',
        evidence: { flag: 'rpcport' },
        edits: [{ at: '5:13-5:25', text: '' }],
        beside: ['5:23', '4:10'],
      },
    ],
  ],
  ['second-source', '--conf within another word', ['ADDITIONAL="--identity x--conf=y"'], ['not-applicable']],
  [
    'second-source',
    '--conf without a value',
    ['ADDITIONAL="--conf"'],
    ['fail', { severity: 'medium', subject: 'a file not known offline', at: '3:13' }],
  ],
  [
    'stale-restart',
    'blanks around the 1',
    ['AUTO_RESTART_NODE=" 1 "'],
    ['fail', { severity: 'info', subject: 'AUTO_RESTART_NODE', at: '3:1' }],
  ],
  [
    'unknown-setting',
    'mentioned in comments alone',
    ['RPC_FOOBAR=1', '# $RPC_FOOBAR', 'RPC_PORT=1 # $RPC_FOOBAR', 'FOO_BAR=1'],
    [
      'fail',
      { severity: 'low', subject: 'RPC_FOOBAR', at: '3:1', evidence: { meant: null } },
      '? indeterminate null',
    ],
  ],
  [
    'unknown-setting',
    'used behind a # that is no comment',
    ['RPC_FOOBAR=1', 'RPC_API=a#$RPC_FOOBAR'],
    ['pass'],
  ],
  ['unknown-setting', 'unset again', ['RPC_PROT=1', 'unset RPC_PROT'], ['pass']],
  ['homi-leftover', 'nothing below the marker', ['# docker-compose'], ['not-applicable']],
  ['homi-leftover', 'the marker without #', ['X=1 # docker-compose'], ['not-applicable']],
  [
    'homi-leftover',
    'what opens interfaces',
    ['RPC_ENABLE=0', '# docker-compose', 'RPC_ENABLE=1', 'RPC_ADDR=0.0.0.0'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'docker-compose',
        at: '4:1',
        edits: [{ at: '4:1-6:1', text: '' }],
        beside: ['3:1'],
      },
    ],
  ],
  [
    'homi-leftover',
    'what replaces lines above',
    ['SYNCMODE=full', 'VERBOSITY=1', '# docker-compose', 'SYNCMODE=snap', 'RPC_ENABLE=1'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'docker-compose',
        at: '5:1',
        edits: [
          { at: '5:1-6:1', text: '' },
          { at: '6:14-7:13', text: '' },
          { at: '3:1-4:1', text: '' },
        ],
        beside: ['3:1'],
      },
    ],
  ],
  [
    'homi-leftover',
    'what is more than an assignment',
    ['# docker-compose', 'if true; then RPC_ENABLE=1; fi'],
    ['fail', { severity: 'medium', subject: 'docker-compose', at: '3:1' }],
  ],
  ['ineffective-switch', 'words that look off and are on', ['RPC_ENABLE=no', 'WS_ENABLE=00'], ['pass']],
  [
    'ineffective-switch',
    'words that look on and are off',
    ['RPC_ENABLE=2', 'WS_ENABLE=true'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_ENABLE',
        at: '3:12',
        evidence: { value: '2', on: false },
        edits: [{ at: '3:12-3:13', text: '0' }],
      },
      {
        severity: 'medium',
        subject: 'WS_ENABLE',
        at: '4:11',
        evidence: { value: 'true', on: false },
        edits: [{ at: '4:11-4:15', text: '0' }],
      },
    ],
  ],
  ['ineffective-switch', 'a carriage return', ['RPC_ENABLE=1\r'], ['pass']],
  ['ineffective-switch', 'not known', ['RPC_ENABLE=$(x)'], ['pass']],
  ['ineffective-switch', 'plain', ['RPC_ENABLE=1', 'WS_ENABLE=0'], ['pass']],
  [
    'latent-module',
    'a list behind a closed interface',
    ['RPC_ENABLE=0', 'RPC_API="klay,admin,personal"'],
    [
      'fail',
      {
        severity: 'low',
        subject: 'http admin,personal',
        at: '4:9',
        evidence: { interface: 'http', modules: ['admin', 'personal'] },
        edits: [{ at: '4:9-4:30', text: '"klay"' }],
      },
    ],
  ],
  ['latent-module', 'public names alone', ['RPC_ENABLE=0', 'RPC_API="klay,eth"'], ['pass']],
  ['latent-module', 'an open interface', ['RPC_ENABLE=1', 'RPC_API="klay,admin"'], ['pass']],
  [
    'loose-permissions',
    'a secret that all read',
    [
      'ADDITIONAL="--password-file x --nodekeyhex 4646464646464646464646464646464646464646464646464646464646464646"',
    ],
    ['fail', { severity: 'medium', subject: '0644', at: '1:1', evidence: { mode: '0644' } }],
    0o644,
  ],
  ['loose-permissions', 'nothing secret that all read', ['X=1'], ['pass'], 0o644],
  [
    'loose-permissions',
    'the group writes',
    ['X=1'],
    ['fail', { severity: 'high', subject: '0660', at: '1:1', evidence: { mode: '0660' } }],
    0o660,
  ],
  [
    'loose-permissions',
    'all write',
    ['X=1'],
    ['fail', { severity: 'high', subject: '0602', at: '1:1', evidence: { mode: '0602' } }],
    0o602,
  ],
  [
    'loose-permissions',
    'a secret for the owner alone',
    ['ADDITIONAL="--nodekeyhex 4646464646464646464646464646464646464646464646464646464646464646"'],
    ['pass'],
    0o600,
  ],
  ['loose-permissions', 'no file', ['X=1'], ['not-applicable']],
  [
    'malformed-assignment',
    'blanks at the sign',
    ['RPC_ENABLE = 1'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_ENABLE',
        at: '3:1',
        evidence: { kind: 'spaces-around-equals', count: 1 },
      },
    ],
  ],
  [
    'malformed-assignment',
    'several of a kind',
    ['RPC_ENABLE = 1', 'WS_ENABLE = 1', 'RPC_PORT = 2'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_ENABLE',
        at: '3:1',
        evidence: { kind: 'spaces-around-equals', count: 1 },
      },
      {
        severity: 'medium',
        subject: 'WS_ENABLE',
        at: '4:1',
        evidence: { kind: 'spaces-around-equals', count: 1 },
      },
      {
        severity: 'medium',
        subject: 'RPC_PORT',
        at: '5:1',
        evidence: { kind: 'spaces-around-equals', count: 1 },
      },
    ],
  ],
  [
    'malformed-assignment',
    'carriage returns',
    ['RPC_PORT=1\r', 'WS_PORT=2\r'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_PORT',
        at: '3:11',
        evidence: { kind: 'carriage-return', count: 2 },
        edits: [
          { at: '3:11-3:12', text: '' },
          { at: '4:10-4:11', text: '' },
        ],
      },
    ],
  ],
  [
    'malformed-assignment',
    'a quote that is not closed',
    ['RPC_API="eth'],
    [
      'fail',
      { severity: 'medium', subject: 'RPC_API', at: '3:9', evidence: { kind: 'unclosed-quote', count: 1 } },
    ],
  ],
  [
    'malformed-assignment',
    'two that keep it from starting',
    ['DATA_DIR = /srv', 'unset DATA_DIR', 'RPC_API="eth'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'DATA_DIR',
        at: '3:1',
        evidence: { kind: 'spaces-around-equals', count: 1 },
      },
      { severity: 'medium', subject: 'RPC_API', at: '5:9', evidence: { kind: 'unclosed-quote', count: 1 } },
    ],
  ],
  [
    'malformed-flag',
    'a stray word',
    ['ADDITIONAL="--txpool.nolocals stray"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'stray-word',
        at: '3:31',
        evidence: { kind: 'stray-word', fatal: true },
      },
    ],
  ],
  [
    'malformed-flag',
    'a bad value',
    ['RPC_ENABLE=1', 'RPC_PORT=abc'],
    [
      'fail',
      { severity: 'medium', subject: 'RPC_PORT', at: '4:10', evidence: { kind: 'bad-value', fatal: true } },
    ],
  ],
  [
    'malformed-flag',
    'a bad value of a flag',
    ['ADDITIONAL="--rpcport abc"'],
    [
      'fail',
      { severity: 'medium', subject: 'rpcport', at: '3:23', evidence: { kind: 'bad-value', fatal: true } },
    ],
  ],
  [
    'malformed-flag',
    'a missing value',
    ['ADDITIONAL="--rpcport"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'rpcport',
        at: '3:13',
        evidence: { kind: 'missing-value', fatal: true },
      },
    ],
  ],
  [
    'opaque-value',
    'from a command',
    ['RPC_API="$(cat x)"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_API',
        at: '3:9',
        evidence: { reason: 'it is the output of a command' },
      },
    ],
  ],
  [
    'opaque-value',
    'of little weight',
    ['SYNCMODE="$(cat x)"'],
    [
      'fail',
      {
        severity: 'low',
        subject: 'SYNCMODE',
        at: '3:10',
        evidence: { reason: 'it is the output of a command' },
      },
    ],
  ],
  [
    'opaque-value',
    'a file that is read',
    ['. ./other', 'source x', 'eval y'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'file',
        at: '3:1',
        evidence: { reason: 'a sourced file is not followed' },
      },
      {
        severity: 'medium',
        subject: 'file',
        at: '4:1',
        evidence: { reason: 'a sourced file is not followed' },
      },
      {
        severity: 'medium',
        subject: 'file',
        at: '5:1',
        evidence: { reason: 'what eval runs is not followed' },
      },
      '? indeterminate null',
      '? indeterminate null',
    ],
  ],
  [
    'opaque-value',
    'two in a line',
    ['RPC_API=$(x) WS_API=$(y)'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_API',
        at: '3:9',
        evidence: { reason: 'it is the output of a command' },
      },
      {
        severity: 'medium',
        subject: 'WS_API',
        at: '3:21',
        evidence: { reason: 'it is the output of a command' },
      },
    ],
  ],
  ['overriding-flag', 'over a variable', ['RPC_PORT=1', 'ADDITIONAL="--rpcport 2"'], ['pass']],
  [
    'overriding-flag',
    'over a flag',
    ['ADDITIONAL="--rpcport 1 --rpcport 2"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'rpcport',
        at: '3:35',
        evidence: { flag: 'rpcport' },
        edits: [{ at: '3:13-3:25', text: '' }],
        beside: ['3:23'],
      },
    ],
  ],
  ['overriding-flag', 'over nothing', ['ADDITIONAL="--rpcport 2"'], ['pass']],
  [
    'privileged-module',
    'unknown lists',
    ['RPC_ENABLE=1', 'RPC_API=$(x)', 'WS_ENABLE=$(y)'],
    ['undetermined', '? indeterminate ws', '? indeterminate http'],
  ],
  [
    'privileged-module',
    'gRPC',
    ['GRPC_ENABLE=1', 'ADDITIONAL="--grpc --grpcaddr 0.0.0.0"'],
    [
      'fail',
      {
        severity: 'low',
        subject: 'grpc admin',
        at: '4:13',
        evidence: { interface: 'grpc', module: 'admin', reach: 'any' },
        edits: [{ at: '4:13-4:20', text: '' }],
      },
      {
        severity: 'medium',
        subject: 'grpc governance',
        at: '4:13',
        evidence: { interface: 'grpc', module: 'governance', reach: 'any' },
        edits: [{ at: '4:13-4:20', text: '' }],
      },
      {
        severity: 'low',
        subject: 'grpc istanbul',
        at: '4:13',
        evidence: { interface: 'grpc', module: 'istanbul', reach: 'any' },
        edits: [{ at: '4:13-4:20', text: '' }],
      },
      {
        severity: 'medium',
        subject: 'grpc txpool',
        at: '4:13',
        evidence: { interface: 'grpc', module: 'txpool', reach: 'any' },
        edits: [{ at: '4:13-4:20', text: '' }],
      },
    ],
  ],
  [
    'public-bind',
    'addresses',
    ['RPC_ENABLE=1', 'RPC_ADDR=0.0.0.0', 'WS_ENABLE=1', 'WS_ADDR=10.0.0.1'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'http 0.0.0.0',
        at: '4:10',
        evidence: { interface: 'http', host: '0.0.0.0', port: 8551, reach: 'any' },
        edits: [{ at: '4:10-4:17', text: '"127.0.0.1"' }],
      },
      {
        severity: 'low',
        subject: 'ws 10.0.0.1',
        at: '6:9',
        evidence: { interface: 'ws', host: '10.0.0.1', port: 8552, reach: 'private' },
        edits: [{ at: '6:9-6:17', text: '"127.0.0.1"' }],
      },
    ],
  ],
  [
    'public-bind',
    'not known',
    ['RPC_ENABLE=1', 'RPC_ADDR=$(x)', 'WS_ENABLE=$(y)'],
    ['undetermined', '? indeterminate ws', '? indeterminate http'],
  ],
  [
    'public-bind',
    'gRPC and a mainbridge',
    ['ADDITIONAL="--grpc --grpcaddr 0.0.0.0 --mainbridge"'],
    [
      'fail',
      {
        severity: 'high',
        subject: 'grpc 0.0.0.0',
        at: '3:31',
        evidence: { interface: 'grpc', host: '0.0.0.0', port: 8553, reach: 'any' },
        edits: [{ at: '3:31-3:38', text: '127.0.0.1' }],
      },
      {
        severity: 'medium',
        subject: 'mainbridge 0.0.0.0',
        at: '3:39',
        evidence: { interface: 'mainbridge', host: '0.0.0.0', port: 50505, reach: 'any' },
        edits: [{ at: '3:38-3:51', text: '' }],
      },
    ],
  ],
  [
    'second-source',
    'a file that is not read',
    ['ADDITIONAL="--conf /etc/x.yaml"'],
    ['fail', { severity: 'medium', subject: '/etc/x.yaml', at: '3:13' }],
  ],
  [
    'second-source',
    'joined',
    ['ADDITIONAL="--conf=/etc/x.yaml"'],
    ['fail', { severity: 'medium', subject: '/etc/x.yaml', at: '3:13' }],
  ],
  ['second-source', 'none', ['X=1'], ['not-applicable']],
  [
    'secret-in-conf',
    'in a flag',
    ['ADDITIONAL="--nodekeyhex 4646464646464646464646464646464646464646464646464646464646464646"'],
    ['fail', { severity: 'high', subject: 'ADDITIONAL', at: '3:26' }],
  ],
  [
    'secret-in-conf',
    'in a comment',
    ['# key 0x4646464646464646464646464646464646464646464646464646464646464646'],
    ['fail', { severity: 'low', subject: 'line', at: '3:7' }],
  ],
  [
    'unknown-flag',
    'near',
    ['ADDITIONAL="--rpcapii eth"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'rpcapii',
        at: '3:13',
        evidence: { kind: 'unknown-flag', fatal: true },
        edits: [{ at: '3:15-3:22', text: 'rpcapi' }],
      },
      '? indeterminate null',
    ],
  ],
  [
    'unknown-flag',
    'far',
    ['ADDITIONAL="--zzzzzzzz"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'zzzzzzzz',
        at: '3:13',
        evidence: { kind: 'unknown-flag', fatal: true },
      },
    ],
  ],
  [
    'unknown-module',
    'names',
    ['RPC_ENABLE=1', 'RPC_API="ETH,etth,rpc,miner,qqqqqq,eth,klay,"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'http ETH',
        at: '4:10',
        evidence: { interface: 'http', module: 'ETH', meant: 'eth' },
        edits: [{ at: '4:9-4:46', text: '"eth,klay"' }],
      },
      {
        severity: 'medium',
        subject: 'http etth',
        at: '4:14',
        evidence: { interface: 'http', module: 'etth', meant: 'eth' },
        edits: [{ at: '4:9-4:46', text: '"eth,klay"' }],
      },
      {
        severity: 'info',
        subject: 'http rpc',
        at: '4:19',
        evidence: { interface: 'http', module: 'rpc', meant: null },
        edits: [{ at: '4:9-4:46', text: '"eth,klay"' }],
      },
      {
        severity: 'low',
        subject: 'http miner',
        at: '4:23',
        evidence: { interface: 'http', module: 'miner', meant: null },
        edits: [{ at: '4:9-4:46', text: '"eth,klay"' }],
      },
      {
        severity: 'low',
        subject: 'http qqqqqq',
        at: '4:29',
        evidence: { interface: 'http', module: 'qqqqqq', meant: null },
        edits: [{ at: '4:9-4:46', text: '"eth,klay"' }],
      },
      '? indeterminate http',
    ],
  ],
  ['unknown-module', 'not known', ['RPC_ENABLE=1', 'RPC_API=$(x)'], ['undetermined', '? indeterminate http']],
  [
    'unknown-setting',
    'near',
    ['RPC_PORTT=1', 'QQQQQQQQQ=1'],
    [
      'fail',
      { severity: 'medium', subject: 'RPC_PORTT', at: '3:1', evidence: { meant: 'RPC_PORT' } },
      '? indeterminate null',
    ],
  ],
  [
    'unknown-setting',
    'near one that is set',
    ['RPC_PORT=1', 'RPC_PORTT=1', 'RPC_PORTT=2', 'unset RPC_PORTT'],
    ['pass'],
  ],
  [
    'unknown-setting',
    'malformed as well',
    ['rpc_api = x', 'RPC_APII=1'],
    [
      'fail',
      { severity: 'medium', subject: 'RPC_APII', at: '4:1', evidence: { meant: 'RPC_API' } },
      '? indeterminate null',
    ],
  ],
  [
    'unlocked-account',
    'nothing that signs',
    ['RPC_ENABLE=1', 'RPC_API="net"', 'ADDITIONAL="--unlock 0x71562b71999873db5b286df957af199ec94617f7"'],
    ['pass'],
  ],
  [
    'unlocked-account',
    'what signs',
    [
      'RPC_ENABLE=1',
      'RPC_ADDR=0.0.0.0',
      'RPC_API="eth"',
      'ADDITIONAL="--unlock 0x71562b71999873db5b286df957af199ec94617f7"',
    ],
    [
      'fail',
      {
        severity: 'critical',
        subject: '--unlock',
        at: '6:22',
        evidence: { interfaces: ['http'], reach: 'any' },
      },
    ],
  ],
  [
    'unlocked-account',
    'empty',
    ['RPC_ENABLE=1', 'RPC_API="eth"', "ADDITIONAL='--unlock='"],
    ['not-applicable'],
  ],
  [
    'unlocked-account',
    'a mainbridge',
    ['ADDITIONAL="--mainbridge --unlock 0x71562b71999873db5b286df957af199ec94617f7"'],
    [
      'fail',
      {
        severity: 'critical',
        subject: '--unlock',
        at: '3:35',
        evidence: { interfaces: ['mainbridge'], reach: 'any' },
      },
    ],
  ],
  [
    'unlocked-account',
    'gRPC and an unknown ws',
    ['WS_ENABLE=$(x)', 'ADDITIONAL="--grpc --unlock 0x71562b71999873db5b286df957af199ec94617f7"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: '--unlock',
        at: '4:29',
        evidence: { interfaces: ['grpc'], reach: 'loopback' },
      },
      '? indeterminate ws',
    ],
  ],
  ['unlocked-account', 'unknown, and nothing is on', ['A=$(x)', 'ADDITIONAL="--unlock $A"'], ['pass']],
  [
    'unlocked-account',
    'unknown, and it signs',
    ['RPC_ENABLE=1', 'RPC_API="eth"', 'A=$(x)', 'ADDITIONAL="--unlock $A"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: '--unlock',
        at: '6:12',
        evidence: { interfaces: ['http'], reach: 'loopback' },
      },
    ],
  ],
  [
    'unmatchable-entry',
    'one and more',
    ['RPC_ENABLE=1', 'RPC_CORSDOMAIN="a.example,b.example/,https://c.example"', 'RPC_VHOSTS="https://x"'],
    [
      'fail',
      {
        severity: 'low',
        subject: 'RPC_CORSDOMAIN',
        at: '4:17',
        evidence: { interface: 'http', entries: ['a.example', 'b.example/'] },
      },
      {
        severity: 'low',
        subject: 'RPC_VHOSTS',
        at: '5:13',
        evidence: { interface: 'http', entries: ['https://x'] },
      },
    ],
  ],
  ['unread-setting', 'empty, exported', ['SC_MAIN_BRIDGE=', 'export SC_SUB_BRIDGE=1'], ['pass']],
  [
    'unread-setting',
    'many',
    [
      'SC_MAIN_BRIDGE=1',
      'SC_SUB_BRIDGE=1',
      'SC_MAIN_BRIDGE_PORT=1',
      'SC_SUB_BRIDGE_PORT=1',
      'SC_ANCHORING=1',
      'SC_PARENT_CHAIN_ID=1',
      'SC_VTRECOVERY=1',
      'SC_ANCHORING_PERIOD=1',
    ],
    [
      'fail',
      {
        severity: 'low',
        subject:
          'SC_SUB_BRIDGE,SC_SUB_BRIDGE_PORT,SC_ANCHORING,SC_PARENT_CHAIN_ID,SC_VTRECOVERY,SC_ANCHORING_PERIOD',
        at: '4:1',
        evidence: {
          readers: {
            SC_SUB_BRIDGE: ['kscnd', 'kspnd', 'ksend'],
            SC_SUB_BRIDGE_PORT: ['kscnd', 'kspnd', 'ksend'],
            SC_ANCHORING: ['kscnd', 'kspnd', 'ksend'],
            SC_PARENT_CHAIN_ID: ['kscnd', 'kspnd', 'ksend'],
            SC_VTRECOVERY: ['kscnd', 'kspnd', 'ksend'],
            SC_ANCHORING_PERIOD: ['kscnd', 'kspnd', 'ksend'],
          },
        },
        edits: [
          { at: '4:1-5:1', text: '' },
          { at: '5:22-10:22', text: '' },
        ],
        beside: ['6:1', '7:1', '8:1', '9:1', '10:1'],
      },
    ],
  ],
  [
    'unsafe-debug',
    'off, on, not known',
    ['RPC_ENABLE=1', 'RPC_API="eth,debug"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'http debug',
        at: '4:14',
        evidence: { interface: 'http', switch: 'off', reach: 'loopback' },
        edits: [{ at: '4:9-4:20', text: '"eth"' }],
      },
    ],
  ],
  [
    'unsafe-debug',
    'behind the switch',
    ['WS_ENABLE=1', 'WS_API="debug"', 'ADDITIONAL="--rpc.unsafe-debug.disable"'],
    [
      'fail',
      {
        severity: 'info',
        subject: 'ws debug',
        at: '4:9',
        evidence: { interface: 'ws', switch: 'on', reach: 'loopback' },
        edits: [{ at: '4:8-4:15', text: '"klay,eth,net,web3"' }],
      },
    ],
  ],
  [
    'unsafe-debug',
    'unknown list',
    ['RPC_ENABLE=1', 'RPC_API=$(x)'],
    ['undetermined', '? indeterminate http'],
  ],
  [
    'wildcard-vhosts',
    'open',
    ['RPC_ENABLE=1', 'RPC_VHOSTS="*"', 'RPC_API="eth"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_VHOSTS',
        at: '4:13',
        evidence: { interface: 'http', value: ['*'], bound: 'loopback' },
        edits: [{ at: '4:12-4:15', text: '""' }],
      },
    ],
  ],
  [
    'wildcard-cors',
    'open',
    ['RPC_ENABLE=1', 'RPC_CORSDOMAIN="*"', 'RPC_API="eth,personal"'],
    [
      'fail',
      {
        severity: 'critical',
        subject: 'RPC_CORSDOMAIN',
        at: '4:17',
        evidence: { interface: 'http', value: ['*'], bound: 'loopback' },
        edits: [{ at: '4:16-4:19', text: '""' }],
      },
    ],
  ],
  [
    'wildcard-origins',
    'open',
    ['WS_ENABLE=1', 'WS_ORIGINS="*"', 'WS_API="eth"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'WS_ORIGINS',
        at: '4:13',
        evidence: { interface: 'ws', value: ['*'], bound: 'loopback' },
        edits: [{ at: '4:12-4:15', text: '""' }],
      },
    ],
  ],
  [
    'open-profiler',
    'by a flag',
    ['ADDITIONAL="--pprof --pprofaddr 0.0.0.0"'],
    [
      'fail',
      {
        severity: 'high',
        subject: 'pprof',
        at: '3:13',
        evidence: { interface: 'pprof', host: '0.0.0.0', port: 6060, reach: 'any' },
        edits: [{ at: '3:13-3:21', text: '' }],
      },
    ],
  ],
  [
    'open-profiler',
    'metrics',
    ['METRICS=1', 'PROMETHEUS=1'],
    [
      'fail',
      {
        severity: 'high',
        subject: 'metrics',
        at: '4:12',
        evidence: { interface: 'metrics', host: '0.0.0.0', port: 61001, reach: 'any' },
      },
    ],
  ],
  [
    'implicit-modules',
    'no list',
    ['RPC_ENABLE=1', 'WS_ENABLE=1'],
    [
      'fail',
      {
        severity: 'info',
        subject: 'http',
        at: '3:12',
        evidence: { interface: 'http', modules: ['eth', 'kaia', 'net', 'web3'], reach: 'loopback' },
        edits: [{ at: '3:13-3:13', text: '\nRPC_API="klay,eth,net,web3"' }],
      },
      {
        severity: 'info',
        subject: 'ws',
        at: '4:11',
        evidence: { interface: 'ws', modules: ['eth', 'kaia', 'net', 'web3'], reach: 'loopback' },
        edits: [{ at: '4:12-4:12', text: '\nWS_API="klay,eth,net,web3"' }],
      },
    ],
  ],
  ['duplicate-setting', 'behind a condition', ['RPC_PORT=1', 'if [ -f /x ]; then RPC_PORT=2; fi'], ['pass']],
  [
    'duplicate-setting',
    'in front of one',
    ['RPC_PORT=1', 'RPC_PORT=2', 'if [ -f /x ]; then RPC_PORT=3; fi'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_PORT',
        at: '4:1',
        edits: [{ at: '3:1-4:1', text: '' }],
        beside: ['3:1'],
      },
    ],
  ],
  [
    'duplicate-setting',
    'appended to',
    ['ADDITIONAL="--txpool.nolocals"', 'ADDITIONAL+=" --cache 1"'],
    ['pass'],
  ],
  [
    'duplicate-setting',
    'below the marker of homi',
    ['RPC_PORT=1', '# docker-compose', 'RPC_PORT=2'],
    ['pass'],
  ],
  [
    'duplicate-setting',
    'above the marker of homi',
    ['RPC_PORT=1', 'RPC_PORT=2', '# docker-compose'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_PORT',
        at: '4:1',
        edits: [{ at: '3:1-4:1', text: '' }],
        beside: ['3:1'],
      },
    ],
  ],
  [
    'duplicate-setting',
    'one of two the same',
    ['RPC_PORT=1', 'RPC_PORT=2', 'RPC_PORT=1'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_PORT',
        at: '5:1',
        edits: [{ at: '3:1-5:1', text: '' }],
        beside: ['3:1', '4:1'],
      },
    ],
  ],
  [
    'duplicate-setting',
    'unknown twice',
    ['RPC_PORT=$(x)', 'RPC_PORT=$(x)'],
    ['fail', { severity: 'medium', subject: 'RPC_PORT', at: '4:1', beside: ['3:1'] }],
  ],
  [
    'duplicate-setting',
    'exactly four before',
    ['RPC_PORT=1', 'RPC_PORT=2', 'RPC_PORT=3', 'RPC_PORT=4', 'RPC_PORT=5'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_PORT',
        at: '7:1',
        edits: [{ at: '3:1-7:1', text: '' }],
        beside: ['3:1', '4:1', '5:1', '6:1'],
      },
    ],
  ],
  ['ineffective-switch', 'a word in quotes with blanks', ['RPC_ENABLE=" no "'], ['pass']],
  [
    'ineffective-switch',
    'beside a carriage return',
    ['RPC_PORT=1\r', 'WS_ENABLE=true'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'WS_ENABLE',
        at: '4:11',
        evidence: { value: 'true', on: false },
        edits: [{ at: '4:11-4:15', text: '0' }],
      },
    ],
  ],
  [
    'latent-module',
    'a flag’s module',
    ['RPC_ENABLE=1', 'RPC_API="klay,subbridge,mainbridge"'],
    [
      'fail',
      {
        severity: 'low',
        subject: 'http mainbridge',
        at: '4:25',
        evidence: { interface: 'http', module: 'mainbridge' },
        edits: [{ at: '4:9-4:36', text: '"klay"' }],
      },
    ],
  ],
  [
    'latent-module',
    'a ws list',
    ['WS_ENABLE=0', 'WS_API="debug,eth"'],
    [
      'fail',
      {
        severity: 'low',
        subject: 'ws debug',
        at: '4:8',
        evidence: { interface: 'ws', modules: ['debug'] },
        edits: [{ at: '4:8-4:19', text: '"eth"' }],
      },
    ],
  ],
  ['implicit-modules', 'a malformed list', ['RPC_ENABLE=1', 'RPC_API = "eth"'], ['pass']],
  [
    'overriding-flag',
    'a switch',
    ['RPC_ENABLE=0', 'ADDITIONAL="--rpc"'],
    ['fail', { severity: 'medium', subject: 'rpc', at: '4:13', evidence: { flag: 'rpc' }, beside: ['3:12'] }],
  ],
  [
    'missing-data-dir',
    'empty',
    ['DATA_DIR='],
    [
      'fail',
      {
        severity: 'info',
        subject: 'DATA_DIR',
        at: '3:10',
        evidence: { kind: 'data-dir-missing', fatal: true },
      },
    ],
  ],
  [
    'ignored-network',
    'both',
    ['NETWORK_ID=5'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'NETWORK',
        at: '1:9',
        evidence: { kind: 'network-ignored', fatal: false },
        edits: [{ at: '1:1-2:1', text: '' }],
      },
    ],
  ],
  [
    'replaced-program',
    'a folder',
    ['KLAYTN_HOME=/opt/x', 'BIN=/opt/y'],
    ['fail', { severity: 'high', subject: 'BIN', at: '4:1', evidence: { value: '/opt/y' } }],
  ],
  [
    'secret-in-conf',
    'of a database',
    ['DATABASE=postgres://app:hunter2@db/app'],
    ['fail', { severity: 'low', subject: 'line', at: '3:21' }],
  ],
  [
    'secret-in-conf',
    'in an assignment',
    ['API_TOKEN=ghp_0123456789abcdef0123456789abcdef0123'],
    ['fail', { severity: 'high', subject: 'line', at: '3:11' }],
  ],
  [
    'wildcard-cors',
    'several',
    ['RPC_ENABLE=1', 'RPC_CORSDOMAIN="https://a.example,*,null"', 'RPC_API="eth"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_CORSDOMAIN',
        at: '4:17',
        evidence: { interface: 'http', value: ['https://a.example', '*', 'null'], bound: 'loopback' },
        edits: [{ at: '4:16-4:42', text: '"https://a.example"' }],
      },
    ],
  ],
  [
    'wildcard-vhosts',
    'wide',
    ['RPC_ENABLE=1', 'RPC_ADDR=0.0.0.0', 'RPC_VHOSTS="a,*"', 'RPC_API="eth,debug"'],
    [
      'fail',
      {
        severity: 'low',
        subject: 'RPC_VHOSTS',
        at: '5:13',
        evidence: { interface: 'http', value: ['a', '*'], bound: 'any' },
        edits: [{ at: '5:12-5:17', text: '"a"' }],
      },
    ],
  ],
  ['wildcard-origins', 'none', ['WS_ENABLE=1', 'WS_ORIGINS="https://a.example"'], ['pass']],
  [
    'open-profiler',
    'on loopback',
    ['ADDITIONAL="--pprof --pprofaddr 127.0.0.1"'],
    [
      'fail',
      {
        severity: 'low',
        subject: 'pprof',
        at: '3:13',
        evidence: { interface: 'pprof', host: '127.0.0.1', port: 6060, reach: 'loopback' },
        edits: [{ at: '3:13-3:21', text: '' }],
      },
    ],
  ],
  ['unread-conf', 'none', ['X=1'], ['not-applicable']],
  [
    'unlocked-account',
    'a mainbridge apart',
    [
      'RPC_ENABLE=1',
      'RPC_ADDR=10.0.0.1',
      'RPC_API="net"',
      'ADDITIONAL="--mainbridge --unlock 0x71562b71999873db5b286df957af199ec94617f7"',
    ],
    [
      'fail',
      {
        severity: 'critical',
        subject: '--unlock',
        at: '6:35',
        evidence: { interfaces: ['mainbridge'], reach: 'any' },
      },
    ],
  ],
  [
    'unlocked-account',
    'pages',
    [
      'RPC_ENABLE=1',
      'RPC_API="eth"',
      'RPC_CORSDOMAIN="*"',
      'ADDITIONAL="--unlock 0x71562b71999873db5b286df957af199ec94617f7"',
    ],
    [
      'fail',
      {
        severity: 'critical',
        subject: '--unlock',
        at: '6:22',
        evidence: { interfaces: ['http'], reach: 'any' },
      },
    ],
  ],
  [
    'unlocked-account',
    'an unknown list',
    ['RPC_ENABLE=1', 'RPC_API=$(x)', 'ADDITIONAL="--unlock 0x71562b71999873db5b286df957af199ec94617f7"'],
    [
      'fail',
      {
        severity: 'medium',
        subject: '--unlock',
        at: '5:22',
        evidence: { interfaces: ['http'], reach: 'loopback' },
      },
    ],
  ],
  ['replaced-program', 'taken away again', ['BIN=/opt/y', 'unset BIN'], ['pass']],
  [
    'replaced-program',
    'unknown',
    ['BIN=$(x)'],
    ['fail', { severity: 'high', subject: 'BIN', at: '3:1', evidence: { value: null } }],
  ],
  [
    'implicit-modules',
    'an empty list',
    ['RPC_ENABLE=1', 'RPC_API=""'],
    [
      'fail',
      {
        severity: 'info',
        subject: 'http',
        at: '4:9',
        evidence: { interface: 'http', modules: ['eth', 'kaia', 'net', 'web3'], reach: 'loopback' },
        edits: [{ at: '4:9-4:11', text: '"klay,eth,net,web3"' }],
      },
    ],
  ],
  [
    'malformed-assignment',
    'a kind with several',
    ['if x', 'RPC_ENABLE=1'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'syntax-error',
        at: '5:1',
        evidence: { kind: 'syntax-error', count: 1 },
      },
    ],
  ],
  [
    'homi-leftover',
    'six above',
    [...[1, 2, 3, 4, 5, 6].map(() => 'RPC_PORT=1'), '# docker-compose', 'RPC_PORT=2'],
    [
      'fail',
      {
        severity: 'low',
        subject: 'docker-compose',
        at: '9:1',
        edits: [{ at: '3:1-10:1', text: '' }],
        beside: ['3:1', '4:1', '5:1', '6:1', '7:1'],
      },
    ],
  ],
  [
    'homi-leftover',
    'one of two plain',
    ['# docker-compose', 'RPC_ENABLE=1', 'WS_ENABLE=$(x)'],
    [
      'fail',
      { severity: 'medium', subject: 'docker-compose', at: '3:1', edits: [{ at: '3:1-5:1', text: '' }] },
    ],
  ],
  [
    'opaque-value',
    'the same twice in a line',
    ['if [ -f /x ]; then RPC_PORT=$(x); else RPC_PORT=$(y); fi'],
    [
      'fail',
      {
        severity: 'medium',
        subject: 'RPC_PORT',
        at: '3:29',
        evidence: { reason: 'it is the output of a command' },
      },
    ],
  ],
])('%s: %s', (rule, _, lines, outcome, mode) => {
  expect(outcomeOfConf(rule, lines, mode)).toEqual(outcome);
});

test('a byte order mark before a command has a finding of its own rule', () => {
  const conf = '\uFEFFdate\nls\nNETWORK="mainnet"\nDATA_DIR=/srv/kend\n';
  expect(outcomeOf('embedded-command', exampleFacts({ conf }))).toEqual([
    'fail',
    { severity: 'low', subject: 'command', at: '2:1', evidence: { commands: 1 } },
  ]);
  const plain = conf.slice(1);
  expect(outcomeOf('embedded-command', exampleFacts({ conf: plain }))[1]).toMatchObject({
    evidence: { commands: 2 },
  });
});

const ports = (count: number) => Array.from({ length: count }, (_, at) => `RPC_PORT=${at}`);
const unread = (count: number) =>
  [
    'SUB_BRIDGE',
    'SUB_BRIDGE_PORT',
    'ANCHORING',
    'PARENT_CHAIN_ID',
    'VTRECOVERY',
    'ANCHORING_PERIOD',
    'KAS_ANCHOR',
  ]
    .slice(0, count)
    .map((name) => `SC_${name}=1`);
const unstartable = ['NETWORK=', 'NETWORK_ID='];

/** What is said of the first lines and not of the others: a number, a name, a consequence. */
test.each<[string, RegExp, string[], string[]]>([
  ['duplicate-setting', /\b4 more/, ports(9), ports(5)],
  ['duplicate-setting', /lines 3 and 4/, ports(3), ports(2)],
  ['duplicate-setting', /same value/, ['RPC_PORT=1', 'RPC_PORT=1'], ports(2)],
  ['duplicate-setting', /“?5“?/, ['RPC_PORT=1', 'RPC_PORT=5'], ['RPC_PORT=5', 'RPC_PORT=$(x)']],
  ['embedded-command', /\b2 more/, ['date', 'ls', 'pwd'], ['date']],
  ['malformed-assignment', /\b2 more places/, ['A=1\r', 'B=1\r', 'C=1\r'], ['A=1\r', 'B=1\r']],
  ['malformed-assignment', /\b1 more place\b/, ['A=1\r', 'B=1\r'], ['A=1\r']],
  [
    'malformed-assignment',
    /With Unix line ends, the node opens http \(eth, [^)]*personal[^)]*\)\./,
    ['RPC_ENABLE=1\r', 'RPC_API=eth,personal\r'],
    ['A=1\r'],
  ],
  [
    'malformed-assignment',
    /With Unix line ends, the node starts\./,
    ['NETWORK_ID=7\r', 'NETWORK='],
    ['A=1\r'],
  ],
  ['malformed-assignment', /gets other values/, ['ADDITIONAL=--identity=x\r'], ['A=1\r']],
  [
    'malformed-assignment',
    /refuses to start/,
    [...unstartable, 'RPC_API="eth'],
    [...unstartable, 'RPC_API = 1'],
  ],
  ['malformed-flag', /RPC_PORT a value/, ['RPC_ENABLE=1', 'RPC_PORT=abc'], ['ADDITIONAL="--rpcport abc"']],
  [
    'malformed-flag',
    /--rpcport a value/,
    ['ADDITIONAL="--rpcport abc"'],
    ['ADDITIONAL="--txpool.nolocals stray"'],
  ],
  ['opaque-value', /value of RPC_API/, ['RPC_API=$(x)'], ['. ./x']],
  ['unknown-flag', /rpcapi\b/, ['ADDITIONAL="--rpcapii x"'], ['ADDITIONAL="--zzzzzzzz"']],
  ['unknown-setting', /default/, ['RPC_PORTT=1'], ['RPC_PORT=1', 'RPC_PORTT=1']],
  [
    'homi-leftover',
    /overrides/,
    ['RPC_PORT=1', '# docker-compose', 'RPC_PORT=2'],
    ['# docker-compose', 'RPC_PORT=2'],
  ],
  [
    'unmatchable-entry',
    /\b1 more/,
    ['RPC_ENABLE=1', 'RPC_CORSDOMAIN="a,b"'],
    ['RPC_ENABLE=1', 'RPC_CORSDOMAIN="a"'],
  ],
  ['unread-setting', /does not read them/, ['SC_SUB_BRIDGE=1', 'SC_ANCHORING=1'], ['SC_SUB_BRIDGE=1']],
  [
    'dropped-setting',
    /RPC_CORSDOMAIN/,
    ['RPC_ENABLE=1', 'RPC_CORSDOMAIN="a b"'],
    ['RPC_ENABLE=1', 'RPC_VHOSTS="a b"'],
  ],
  ['unknown-module', /lower case/, ['RPC_ENABLE=1', 'RPC_API="ETH"'], ['RPC_ENABLE=1', 'RPC_API="etth"']],
  [
    'unknown-module',
    /did you mean eth/,
    ['RPC_ENABLE=1', 'RPC_API="etth"'],
    ['RPC_ENABLE=1', 'RPC_API="qqqqqq"'],
  ],
  ['unknown-setting', /Did you mean RPC_PORT\b/, ['RPC_PORTT=1'], ['RPC_QQQQQQ=1']],
  ['unread-setting', /Delete the lines/, ['SC_SUB_BRIDGE=1', 'SC_ANCHORING=1'], ['SC_SUB_BRIDGE=1']],
  ['unread-setting', /The line has no effect/, ['SC_SUB_BRIDGE=1'], ['SC_SUB_BRIDGE=1', 'SC_ANCHORING=1']],
  ['unread-setting', /\b1 more/, unread(7), unread(6)],
  [
    'overriding-flag',
    /repeats/,
    ['RPC_ENABLE=1', 'ADDITIONAL="--rpc"'],
    ['RPC_ENABLE=0', 'ADDITIONAL="--rpc"'],
  ],
  ['unread-setting', /SC_MAIN_BRIDGE is/, ['MAIN_BRIDGE=1'], ['SC_SUB_BRIDGE=1']],
  ['unread-setting', /No launcher/, ['MAIN_BRIDGE=1'], ['SC_SUB_BRIDGE=1']],
  ['unread-setting', /does not read/, ['SC_SUB_BRIDGE=1'], ['MAIN_BRIDGE=1']],
  [
    'overriding-flag',
    /earlier/,
    ['ADDITIONAL="--rpcport 1 --rpcport 2"'],
    ['RPC_ENABLE=0', 'ADDITIONAL="--rpc"'],
  ],
  [
    'duplicate-setting',
    /set 2 times/,
    ['RPC_PORT=1', 'RPC_PORT=2'],
    ['RPC_PORT=1', 'RPC_PORT=2', 'RPC_PORT=3'],
  ],
  [
    'duplicate-setting',
    /Delete line 3\./,
    ['RPC_PORT=1', 'RPC_PORT=2'],
    ['RPC_PORT=1', 'RPC_PORT=2', 'RPC_PORT=3'],
  ],
  ['malformed-flag', /Remove the word/, ['ADDITIONAL="foo"'], ['ADDITIONAL="--rpcport x"']],
  ['malformed-flag', /Give RPC_PORT/, ['RPC_ENABLE=1', 'RPC_PORT=x'], ['ADDITIONAL="--rpcport x"']],
  ['unknown-flag', /Write it as --name/, ['ADDITIONAL="---rpcport 1"'], ['ADDITIONAL="--rpcpor 1"']],
  ['unknown-flag', /Write --rpcport if/, ['ADDITIONAL="--rpcpor 1"'], ['ADDITIONAL="--x-y-z 1"']],
  [
    'overriding-flag',
    /an earlier flag/,
    ['ADDITIONAL="--rpcport 1 --rpcport 2"'],
    ['RPC_ENABLE=1', 'RPC_PORT=1', 'ADDITIONAL="--rpcport 2"'],
  ],
  ['replaced-program', /cannot be resolved offline/, ['BIN=$(x)'], ['BIN=/opt/y']],
  ['opaque-value', /plain assignments/, ['. ./x'], ['RPC_PORT=$(x)']],
])('%s reports %s only where it holds', (id, words, lines, others) => {
  expect(sentencesOf(id, confOf(lines))).toMatch(words);
  expect(sentencesOf(id, confOf(others))).toMatch(/./);
  expect(sentencesOf(id, confOf(others))).not.toMatch(words);
});

test('loose-permissions names who may write the file by its mode', () => {
  const said = (mode: number) => sentencesOf('loose-permissions', confOf(['X=1'], mode));
  expect(said(0o602)).toMatch(/every user/);
  expect(said(0o620)).not.toMatch(/every user/);
  const readable = sentencesOf('loose-permissions', confOf(['DB_PASSWORD=x'], 0o644));
  expect(readable).toMatch(/every user/);
  expect(redact(readable)).toBe(readable);
});

test.each([
  ['kcn', '0', null],
  ['kcn', '00', null],
  ['kcn', '2', 'off'],
  ['kend', 'true', 'off'],
] as const)('%s takes a switch of %s: %j', (binary, value, taken) => {
  const launcher = binary === 'kcn' ? 'kcnd' : 'kend';
  const conf = `RPC_ENABLE=${value}\nNETWORK="mainnet"\nDATA_DIR=/srv/k\n`;
  const [verdict, finding] = outcomeOf('ineffective-switch', exampleFacts({ conf, launcher }));
  const isOn = (one: Outcome) => (one.evidence as { on: boolean }).on;
  expect([verdict, typeof finding === 'object' ? (isOn(finding) ? 'on' : 'off') : null]).toEqual([
    taken === null ? 'pass' : 'fail',
    taken,
  ]);
});

test('the number of unknown-setting findings in a file is limited', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `RPC_QQQQQQ_${n}=1`);
  const told = outcomeOf('unknown-setting', confOf(lines(500))).length;
  expect(told).toBeLessThan(500);
  expect(outcomeOf('unknown-setting', confOf(lines(5)))).toHaveLength(7);
});
