/** The verbs of `kaiactl report`. */
import { exit } from '../errors.js';
import { print } from '../host.js';
import { verbs } from '../node/commands/options/verbs.js';
import { verb } from './verb.js';

/** By name, in the order help shows them. */
export const reportVerbs = {
  schema: verb(verbs.schema, {
    summary: 'print the JSON Schema of a report of --format json or ndjson',
    run: async (_options, host, format) => {
      const [{ reportSchema }, { lineSchema }, { kinds }] = await Promise.all([
        import('../node/report/schema.js'),
        import('../node/report/ndjson.js'),
        import('../node/kinds/index.js'),
      ]);
      const schema = format === 'ndjson' ? lineSchema(kinds) : reportSchema(kinds);
      await print(host.stdout, `${JSON.stringify(schema, null, 2)}\n`);
      return exit.ok;
    },
  }),
  convert: verb(verbs.convert, {
    summary: 'convert a saved report (JSON or ndjson) to another format',
    after: `<report> is a file, or - for stdin. The exit code does not depend on the report.

Examples:
  $ kaiactl report convert audit.json --format html > audit.html
  $ kaiactl report convert audit.json --report sarif=audit.sarif --report junit=audit.xml`,
    run: async (options, host, file) =>
      (await import('../node/commands/report-merge.js')).convert(file, options, host),
  }),
  merge: verb(verbs.merge, {
    summary: 'merge the saved reports of shards (JSON or ndjson)',
    after: `Targets keep the order of the files. The exit code is that of the whole run:
the first of 70, 2, 1, 3, 0 that a shard ended with. A report of ndjson without
its last line, of a run that was interrupted, is refused.

Examples:
  $ kaiactl report merge shard-*.ndjson --format ndjson > fleet.ndjson
  $ kaiactl report merge shard-*.ndjson --report html=fleet.html`,
    run: async (options, host, files) =>
      (await import('../node/commands/report-merge.js')).run({ ...options, files }, host),
  }),
  diff: verb(verbs.diff, {
    summary: 'compare two saved reports',
    after: `Findings are matched by target and fingerprint. Exit codes: 1 a finding at or
above --fail-on is new or got worse, or with --vantage outside reaches a private
interface; 3 something is no longer seen.

Examples:
  $ kaiactl report diff yesterday.json today.json
  $ kaiactl report diff --vantage inside.json outside.json --format markdown`,
    run: async (options, host, before, after) =>
      (await import('../node/commands/report-diff.js')).run({ ...options, before, after }, host),
  }),
};
