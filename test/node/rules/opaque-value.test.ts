import { expect, test } from 'vitest';
import { seen } from '../../../src/node/facts/seen.js';
import { readConf } from '../editables.js';
import { judgeTarget } from '../pipeline.js';

function judged(text: string) {
  const conf = seen(readConf('kend.conf', Buffer.from(text)));
  const facts = { name: 'en-1', role: null, conf, live: null, gatheredAt: '2026-02-11T00:00:00.000Z' };
  const { findings, undetermined, verdict } = judgeTarget(facts, { failOn: 'critical' });
  return { rules: findings.map(({ rule }) => rule), open: undetermined.map(({ rule }) => rule), verdict };
}

test('settings behind a sourced file are judged, and no check passes', () => {
  const { rules, open, verdict } = judged(
    '. /etc/common.conf\nRPC_ENABLE=1\nRPC_API=klay,debug\nDATA_DIR=/srv/kend\n',
  );
  expect(rules).toEqual(expect.arrayContaining(['unsafe-debug', 'opaque-value']));
  expect(open).toContain('unsafe-debug');
  expect(verdict).toBe('fail');
});

test('a sourced file keeps a conf that says everything itself from passing', () => {
  const everything =
    'RPC_ENABLE=0\nWS_ENABLE=0\nMETRICS=0\nSC_MAIN_BRIDGE=0\nADDITIONAL=\nNETWORK=mainnet\nDATA_DIR=/srv/kend\n';
  expect(judged(everything).verdict).toBe('pass');
  expect(judged(`source /etc/common.conf\n${everything}`)).toMatchObject({
    verdict: 'undetermined',
    open: expect.arrayContaining(['opaque-value']),
  });
});
