/** The verbs of `kaiactl report`. */
import { Command } from 'commander';
import { convertOptions, diffOptions, mergeOptions } from '../node/commands/options/report.js';
import { common } from '../options/common.js';
import { verb } from './verb.js';

const schemaVerb = verb(() => new Command('schema'), common, {
  group: 'report',
  summary: 'the JSON Schema of the report that --format json prints',
  run: async (options, host) => (await import('../node/commands/report-schema.js')).run(options, host),
});

const convertVerb = verb(() => new Command('convert').argument('<report>'), convertOptions, {
  group: 'report',
  summary: 'a saved JSON report in another format',
  after: `<report> is a file, or - for stdin. Ends with 0 whatever the report says.

Examples:
  $ kaiactl report convert audit.json --format html > audit.html
  $ kaiactl report convert audit.json --report sarif=audit.sarif --report junit=audit.xml`,
  run: async (options, host, file) =>
    (await import('../node/commands/report-convert.js')).run({ ...options, file }, host),
});

const mergeVerb = verb(() => new Command('merge').argument('<reports...>'), mergeOptions, {
  group: 'report',
  summary: 'the saved reports of shards as one',
  after: `Targets keep the order of the files. Ends as the whole run would have:
70 before 2 before 1 before 3 before 0.

Examples:
  $ kaiactl report merge shard-*.json --format json > fleet.json
  $ kaiactl report merge shard-*.json --report html=fleet.html`,
  run: async (options, host, files) =>
    (await import('../node/commands/report-merge.js')).run({ ...options, files }, host),
});

const diffVerb = verb(() => new Command('diff').argument('<before>').argument('<after>'), diffOptions, {
  group: 'report',
  summary: 'what changed between two saved reports',
  after: `Findings are told apart by target and fingerprint. Exit codes: 1 a finding at or
above --fail-on is new or got worse, or a stranger reaches what inside calls
private; 3 something is not seen any more.

Examples:
  $ kaiactl report diff yesterday.json today.json
  $ kaiactl report diff --vantage inside.json outside.json --format markdown`,
  run: async (options, host, before, after) =>
    (await import('../node/commands/report-diff.js')).run({ ...options, before, after }, host),
});

/** All report verbs, in the order help shows them. */
export const reportVerbs = [schemaVerb, convertVerb, mergeVerb, diffVerb];
