/** The listeners that the settings open. */
import type { Listener } from '../../facts/settings.js';
import type { Existing, Start } from '../kind.js';
import { fixed, items, numberOf, type Offered, socketPath, switchedListener } from '../listening.js';
import { listenerFlags, socketName } from './interfaces.js';
import { launcherNamed } from './names.js';
import { everything, existingModules, listOf, publicOnly } from './offered.js';

/** The listeners of the node, in the order of `listenerKinds`. */
export function listenersOf(release: string, input: Start): readonly Listener[] {
  const { values: settings, launcher } = input;
  const existing = existingModules(release, launcherNamed(launcher), settings);
  const { http, ws } = listenerFlags;
  return [
    listening(input, 'http', {
      origins: items(settings[http.origins]),
      vhosts: items(settings[http.vhosts]),
      ...listOf(release, input, http.api, existing),
    }),
    listening(input, 'ws', {
      origins: items(settings[ws.origins]),
      vhosts: null,
      ...listOf(release, input, ws.api, existing),
    }),
    listening(input, 'grpc', fixed(publicOnly(release, existing))),
    metrics(input),
    listening(input, 'pprof', fixed(null)),
    listening(input, 'mainbridge', fixed(['kaia'])),
    ipc(input, existing),
  ];
}

const listening = (input: Start, kind: 'http' | 'ws' | 'grpc' | 'pprof' | 'mainbridge', offered: Offered) =>
  switchedListener(input, kind, listenerFlags[kind], offered);

/** The node searches its arguments for the exact words: aliases, =true and the environment have no effect. */
function metrics({ values: settings, words }: Start): Listener {
  const literal = (...forms: (string | null)[]) => words.some(({ text }) => forms.includes(text));
  const unknown = words.find(({ text, maybe }) => {
    return text === null && (maybe === null || maybe.includes('--metrics') || maybe.includes('--prometheus'));
  });
  const on = literal('--metrics', '-metrics') && literal('--prometheus', '-prometheus');
  const decided = on || unknown === undefined;
  const asked = settings.metrics?.value === true && settings.prometheus?.value === true;
  const reason = on || !asked ? null : 'the node looks for --metrics and --prometheus written exactly so';
  return {
    kind: 'metrics',
    state: decided ? (on ? 'on' : 'off') : 'unknown',
    reason: decided ? reason : (unknown?.indeterminate ?? null),
    decidedBy: ['metrics', 'prometheus', 'prometheusport'],
    host: '0.0.0.0',
    port: numberOf(settings.prometheusport),
    path: null,
    ...fixed(null),
  };
}

function ipc({ values: settings }: Start, existing: Existing): Listener {
  const { ipcdisable, ipcpath, datadir } = settings;
  const unknown = ipcdisable?.indeterminate ?? null;
  return {
    kind: 'ipc',
    state: unknown !== null ? 'unknown' : ipcdisable?.value === true ? 'off' : 'on',
    reason: unknown,
    decidedBy: ['ipcdisable', 'ipcpath', 'datadir'],
    host: null,
    port: null,
    path: socketPath(socketName, ipcpath, datadir),
    ...fixed(everything(existing)),
  };
}
