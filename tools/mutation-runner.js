/**
 * A test runner for Stryker that loads program and tests once and runs all mutants in one process, in milliseconds each;
 * Vitest would start again for each. To detect state that a mutant leaves behind, the test that killed it runs again
 * without the mutant: if that fails, everything is loaded again and the mutant is retried.
 *
 * KAIACTL_MUTATION_SHARE: percent of the mutants to try, chosen by KAIACTL_MUTATION_SEED; the others count as errors.
 */
import { createHash } from 'node:crypto';
import { relative, resolve } from 'node:path';
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  determineHitLimitReached,
  MutantRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { startTests } from '@vitest/runner';
import { createServer, createServerModuleRunner } from 'vite';

/** The part of Vitest's worker that test files use. */
const worker = {
  config: { expect: {}, snapshotOptions: {} },
  environment: { name: 'node' },
  metaEnv: process.env,
};
globalThis.__vitest_worker__ = worker;
globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {};

const config = {
  name: 'mutation',
  setupFiles: [],
  sequence: { shuffle: false, concurrent: false, hooks: 'stack', setupFiles: 'list', seed: 0 },
  maxConcurrency: 1,
  testTimeout: 5000,
  hookTimeout: 5000,
  passWithNoTests: true,
  tags: [],
  allowOnly: true,
  diffOptions: {},
};

class InProcess {
  static inject = tokens(commonTokens.options, commonTokens.logger);
  #namespace = globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE];
  #share = Number(process.env.KAIACTL_MUTATION_SHARE ?? 100) / 100;
  #seed = process.env.KAIACTL_MUTATION_SEED ?? '1';
  #spent = new Map();
  #outside;

  constructor({ inProcess }, log) {
    Object.assign(this, { ...inProcess, log });
    for (const event of ['uncaughtException', 'unhandledRejection'])
      process.on(event, (error) => {
        this.#outside ??= error?.message ?? String(error);
      });
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    this.server = await createServer({
      configFile: false,
      logLevel: 'error',
      server: { middlewareMode: true, hmr: false, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
    });
    this.modules = createServerModuleRunner(this.server.environments.ssr, { hmr: false });
  }

  dispose() {
    return this.server?.close();
  }

  /** Loads all mutated files before any test: loading must not count as coverage of a test. */
  async dryRun({ files = [] }) {
    for (const file of files) await this.modules.import(file);
    const tests = [];
    for (const file of this.tests) tests.push(...(await this.#run(resolve(file))));
    for (const test of tests) {
      this.#spent.set(test.id, test.timeSpentMs);
      const why = this.#unfit(test);
      if (why === null) continue;
      this.log.warn(`left out, for it ${why}: ${test.id}`);
      test.status = TestStatus.Skipped;
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage: this.#coverage(tests) };
  }

  #unfit({ status, failureMessage, timeSpentMs }) {
    if (status === TestStatus.Failed) return `fails without a mutant (${failureMessage})`;
    return timeSpentMs > this.slowestMs ? `takes ${Math.round(timeSpentMs)} ms` : null;
  }

  async mutantRun({ activeMutant: { id, fileName, location, replacement }, testFilter, hitLimit }) {
    const key = [this.#seed, relative('', fileName), location, replacement];
    if (fraction(JSON.stringify(key)) >= this.#share)
      return { status: MutantRunStatus.Error, errorMessage: 'not chosen' };
    const files = this.#cheapestFirst(testFilter);
    const first = await this.#try(id, files, hitLimit);
    if (first.failed === undefined) return toMutantRunResult(first.result);
    const again = await this.#run(resolve(fileOf(first.failed)), new Set([first.failed]));
    if (again.every(({ status }) => status !== TestStatus.Failed)) return toMutantRunResult(first.result);
    this.modules.clearCache();
    return toMutantRunResult((await this.#try(id, files, hitLimit)).result);
  }

  async #try(mutant, files, hitLimit) {
    const tests = [];
    Object.assign(this.#namespace, { hitCount: 0, hitLimit });
    for (const [file, ids] of files) {
      tests.push(...(await this.#run(resolve(file), new Set(ids), mutant)));
      const failed = tests.find(({ status }) => status === TestStatus.Failed)?.id;
      const endless = determineHitLimitReached(this.#namespace.hitCount, hitLimit);
      if (endless !== undefined) return { failed, result: endless };
      if (failed !== undefined) return { failed, result: { status: DryRunStatus.Complete, tests } };
    }
    return { result: { status: DryRunStatus.Complete, tests } };
  }

  /** Runs the tests of a file, or of `only` until one fails. The mutant is active after the file is loaded. */
  async #run(file, only, mutant) {
    const namespace = this.#namespace;
    const tests = [];
    let began = 0;
    let stop = false;
    worker.filepath = file;
    this.#outside = undefined;
    const [ran] = await startTests([{ filepath: file }], {
      config: { ...config, root: process.cwd() },
      importFile: (path) => this.#loadAnew(path),
      onCollected: ([collected]) => {
        if (only !== undefined) choose(collected, only);
        namespace.activeMutant = mutant;
      },
      onBeforeRunSuite: (suite) => {
        namespace.currentTestId = hooksOf(suite);
      },
      onBeforeRunTask: (test) => {
        if (stop) test.mode = 'skip';
      },
      onBeforeTryTask: (test) => {
        began = performance.now();
        namespace.currentTestId = idOf(test);
      },
      onAfterRunTask: (test) => {
        namespace.currentTestId = hooksOf(test.suite ?? test.file);
        if (test.mode === 'skip') return;
        tests.push(resultOf(test, performance.now() - began));
        stop ||= only !== undefined && test.result.state === 'fail';
      },
    });
    Object.assign(namespace, { activeMutant: undefined, currentTestId: undefined });
    const broken = errorOf(ran) ?? this.#outside;
    if (broken !== undefined) {
      const [id = `${relative('', file)}#`] = only ?? [];
      tests.push({ id, name: id, timeSpentMs: 0, status: TestStatus.Failed, failureMessage: broken });
    }
    return tests;
  }

  #loadAnew(path) {
    const module = this.modules.evaluatedModules.getModuleById(path);
    if (module !== undefined) this.modules.evaluatedModules.invalidateModule(module);
    return this.modules.import(path);
  }

  /** Coverage of the hooks of a suite counts for each of its tests; code that a test reaches is not static. */
  #coverage(tests) {
    const { perTest = {}, static: atLoad = {} } = this.#namespace.mutantCoverage ?? {};
    for (const [hooks, hits] of Object.entries(perTest)) {
      if (!hooks.endsWith('#')) continue;
      delete perTest[hooks];
      for (const { id } of tests)
        if (id.startsWith(hooks.slice(0, -1))) perTest[id] = { ...hits, ...perTest[id] };
    }
    const reached = new Set(Object.values(perTest).flatMap(Object.keys));
    const loaded = Object.entries(atLoad).filter(([id]) => !reached.has(id));
    return { perTest, static: Object.fromEntries(loaded) };
  }

  #cheapestFirst(ids) {
    const files = new Map();
    for (const id of ids) files.set(fileOf(id), [...(files.get(fileOf(id)) ?? []), id]);
    const cost = ([, of]) => of.reduce((sum, id) => sum + (this.#spent.get(id) ?? 0), 0);
    return [...files].sort((a, b) => cost(a) - cost(b));
  }
}

/** Maps a text to [0, 1) by its hash. */
const fraction = (text) => createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
const fileOf = (id) => id.split('#', 1)[0];
const hooksOf = (suite) => `${idOf(suite)}#`;

/** `test/x.test.ts#suite > test` */
function idOf(task) {
  const names = [];
  for (let at = task; at !== undefined && at.filepath === undefined; at = at.suite) names.unshift(at.name);
  return `${relative('', task.file.filepath)}#${names.join(' > ')}`;
}

function resultOf(test, timeSpentMs) {
  const base = { id: idOf(test), name: test.name, fileName: test.file.filepath, timeSpentMs };
  const { state, errors } = test.result;
  if (state === 'skip') return { ...base, status: TestStatus.Skipped };
  if (state !== 'fail') return { ...base, status: TestStatus.Success };
  return { ...base, status: TestStatus.Failed, failureMessage: errors?.[0]?.message ?? 'failed' };
}

/** Skips tests and suites that are not in `only`; true if a test is left. */
function choose(suite, only) {
  for (const task of suite.tasks)
    if (!(task.type === 'suite' ? choose(task, only) : only.has(idOf(task)))) task.mode = 'skip';
  return suite.tasks.some(({ mode }) => mode !== 'skip');
}

/** The error of a hook or a file. */
function errorOf(suite) {
  if (suite.result?.errors?.length) return suite.result.errors[0].message;
  return suite.tasks
    .filter(({ type }) => type === 'suite')
    .map(errorOf)
    .find((error) => error !== undefined);
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcess)];
/** The options of this runner. */
export const strykerValidationSchema = {
  properties: {
    inProcess: {
      type: 'object',
      properties: { tests: { type: 'array', items: { type: 'string' } }, slowestMs: { type: 'number' } },
    },
  },
};
