/** What the operator says of who reaches an interface, put to the facts it is about. */
import type { Conf, Facts } from './facts.js';
import type { Reach } from './reaches.js';
import type { AssumedReach, Listener, Settings } from './settings.js';

/** The facts with what is assumed put to each listener, and to the live node's interfaces. */
export function withAssumed(facts: Facts): Facts {
  const { assumed, conf, live } = facts;
  if (assumed === undefined) return facts;
  return {
    ...facts,
    conf: conf?.state === 'seen' ? { ...conf, value: ofConf(conf.value, assumed) } : conf,
    live: live === null ? null : { ...live, assumed },
  };
}

function ofConf(conf: Conf, assumed: AssumedReach): Conf {
  const alternatives = conf.alternatives?.map((one) => ({ ...one, conf: ofConf(one.conf, assumed) }));
  const settings: Settings = {
    ...conf.settings,
    listeners: conf.settings.listeners.map((one) => ofListener(one, assumed[one.kind])),
  };
  return { ...conf, settings, ...(alternatives === undefined ? {} : { alternatives }) };
}

function ofListener(listener: Listener, assumed: Reach | undefined): Listener {
  return assumed === undefined ? listener : { ...listener, assumed };
}

/** The listener as its settings alone have it. */
export function withoutAssumed({ assumed: _, ...listener }: Listener): Listener {
  return listener;
}
