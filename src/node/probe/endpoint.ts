/** Everything asked of one endpoint, in order, within one deadline and one budget. */
import type { ConnectionOptions } from '../../jsonrpc/channel.js';
import { openChannel, RpcClient } from '../../jsonrpc/client.js';
import type { Address } from '../../jsonrpc/endpoint.js';
import { HttpChannel } from '../../jsonrpc/http.js';
import { alwaysPresent, unsafeDebugMethods } from '../../jsonrpc/methods.js';
import type { Access, EndpointFacts, Presence } from '../facts/live.js';
import { notSeen, type Seen, seen } from '../facts/seen.js';
import { askCors, askHost, askOrigin } from './access-checks.js';
import { askPresence, expectAbsence, expectPresence, presenceOf } from './existence.js';
import { askAccounts, askChain, askClient } from './identity.js';
import { askModules } from './modules.js';
import { observe } from './run.js';
import { type Depth, type UnprobedFacts, unprobedFacts } from './unprobed.js';

/** Requests one endpoint gets at most, access included. */
export const requestBudget = 12;

export interface Visit {
  readonly address: Address;
  readonly source: EndpointFacts['source'];
  readonly options: ConnectionOptions;
  readonly depth: Depth;
  readonly signal: AbortSignal;
}

/** Probes one endpoint. Never throws for what the node or the network does. */
export async function probeEndpoint(visit: Visit): Promise<EndpointFacts> {
  const prober = new Prober(visit);
  try {
    return await prober.run();
  } finally {
    prober.close();
  }
}

class Prober {
  readonly #visit: Visit;
  readonly #channel;
  readonly #client: RpcClient;
  readonly #facts: UnprobedFacts;
  #handshakes = 0;

  constructor(visit: Visit) {
    this.#visit = visit;
    this.#channel = openChannel(visit.address, visit.options);
    this.#client = new RpcClient(this.#channel);
    this.#facts = unprobedFacts(visit.address.endpoint, visit.source, visit.depth);
  }

  close(): void {
    this.#client.close();
  }

  async run(): Promise<EndpointFacts> {
    const facts = this.#facts;
    const { kind } = facts.endpoint;
    const before = performance.now();
    facts.modules = await this.#observe(() => askModules(this.#client, this.#visit.signal));
    if (!this.#client.answered) return this.#unanswered(facts.modules);
    facts.latencyMs = Math.round((performance.now() - before) * 10) / 10;
    facts.client = await this.#reading('web3', () => askClient(this.#client, this.#visit.signal));
    facts.chain = await this.#reading('net', () => askChain(this.#client, this.#visit.signal));
    if (this.#visit.depth === 'safe' && kind !== 'ipc') await this.#deeper(kind);
    return this.#finished();
  }

  async #deeper(kind: 'http' | 'ws'): Promise<void> {
    const facts = this.#facts;
    const { address, options, signal } = this.#visit;
    facts.accounts = await this.#accounts();
    facts.calibrated = await this.#calibrate(kind);
    if (this.#offers('debug')) await this.#askDebugMethods();
    const channel = this.#channel;
    facts.foreignOrigin = await this.#observe(() => {
      if (channel instanceof HttpChannel) return askCors(channel, signal);
      this.#handshakes += 1;
      return askOrigin(address, options, signal);
    });
  }

  /** A made-up method must be absent and a method that exists present; over http the latter also tries the Host. */
  async #calibrate(kind: 'http' | 'ws'): Promise<Seen<boolean>> {
    const { signal } = this.#visit;
    const absence = await this.#observe(() => expectAbsence(this.#client, signal));
    const proof = kind === 'http' ? await this.#tryHost() : null;
    if (absence.state !== 'seen') return absence;
    // Each existenceProbe must be affordable: where debug is offered, the one that always stays is the control as well.
    const control = this.#offers('debug') ? alwaysPresent : 'rpc_modules';
    const shown = proof ?? (await this.#presence(control));
    if (proof !== null || control === 'rpc_modules') return this.#believed('rpc_modules', shown);
    // A boot node's debug has no block methods at all: then rpc_modules has to be the control.
    const denied = shown.state === 'seen' && shown.value === 'absent';
    return denied
      ? this.#believed('rpc_modules', await this.#presence('rpc_modules'))
      : this.#believed(control, shown);
  }

  async #believed(
    control: typeof alwaysPresent | 'rpc_modules',
    presence: Seen<Presence>,
  ): Promise<Seen<boolean>> {
    if (presence.state !== 'seen') return presence;
    return this.#observe(async () => {
      expectPresence(control, presence.value);
      return true;
    });
  }

  /** rpc_modules with {} under a foreign Host: an answer is two facts, a refusal is one. */
  async #tryHost(): Promise<Seen<Presence> | null> {
    const answered = await this.#observe(() => askHost(this.#client, this.#visit.signal));
    if (answered.state !== 'seen') {
      this.#facts.foreignHost = answered;
      return null;
    }
    const answer = answered.value;
    this.#facts.foreignHost = seen<Access>(answer === 'closed' ? 'closed' : 'open');
    return answer === 'closed' ? null : observe(async () => presenceOf('rpc_modules', answer));
  }

  async #askDebugMethods(): Promise<void> {
    const { calibrated } = this.#facts;
    const methods: Record<string, Seen<Presence>> = { ...this.#facts.methods };
    for (const method of [alwaysPresent, ...unsafeDebugMethods] as const) {
      methods[method] ??= calibrated.state === 'seen' ? await this.#presence(method) : calibrated;
    }
    this.#facts.methods = methods;
  }

  /** Asks about one method and keeps the answer if it is a existenceProbe. */
  async #presence(
    method: (typeof unsafeDebugMethods)[number] | typeof alwaysPresent | 'rpc_modules',
  ): Promise<Seen<Presence>> {
    const presence = await this.#observe(() => askPresence(this.#client, method, this.#visit.signal));
    if (method !== 'rpc_modules') this.#facts.methods = { ...this.#facts.methods, [method]: presence };
    return presence;
  }

  #accounts(): Promise<Seen<readonly string[]>> {
    const { modules } = this.#facts;
    if (modules.state !== 'seen')
      return Promise.resolve(notSeen('not-asked', 'not asked: which modules are offered is not known'));
    for (const module of ['kaia', 'klay', 'eth'] as const) {
      if (!Object.hasOwn(modules.value, module)) continue;
      return this.#observe(() => askAccounts(this.#client, `${module}_accounts`, this.#visit.signal));
    }
    return Promise.resolve(notSeen('not-applicable', 'no module that lists accounts is offered'));
  }

  /** Known to be offered, or not known. */
  #offers(module: string): boolean {
    const { modules } = this.#facts;
    return modules.state !== 'seen' || Object.hasOwn(modules.value, module);
  }

  #reading<T>(module: string, step: () => Promise<T>): Promise<Seen<T>> {
    return this.#offers(module)
      ? this.#observe(step)
      : Promise.resolve(notSeen('not-applicable', `${module} is not offered`));
  }

  /** One question, if the budget still has one. */
  #observe<T>(step: () => Promise<T>): Promise<Seen<T>> {
    const spent = this.#client.sent.requests + this.#handshakes;
    if (spent >= requestBudget)
      return Promise.resolve(notSeen('not-asked', `not asked: ${requestBudget} requests are the most`));
    return observe(step);
  }

  /** Nothing that speaks JSON-RPC: whatever else could have been asked is as unseen as the first question. */
  #unanswered(why: Seen<unknown>): EndpointFacts {
    const facts = this.#facts;
    const unseen = why.state === 'seen' ? notSeen('not-asked', 'not asked') : why;
    for (const name of ['modules', 'client', 'chain', 'calibrated', 'accounts'] as const)
      facts[name] = unseen;
    if (facts.endpoint.kind === 'http') facts.foreignHost = unseen;
    if (facts.endpoint.kind !== 'ipc') facts.foreignOrigin = unseen;
    return this.#finished();
  }

  /** Who says more than it was asked is not believed about what it was asked. */
  #finished(): EndpointFacts {
    const { fault } = this.#client;
    if (fault?.code === 'unreadable') this.#facts.modules = notSeen('unreadable', fault.message);
    const { requests, bytes } = this.#client.sent;
    return { ...this.#facts, sent: { requests: requests + this.#handshakes, bytes } };
  }
}
