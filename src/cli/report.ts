/** The verbs of `kaiactl report`. */
import { Command, type CommandUnknownOpts } from 'commander';
import type { Host } from '../host.js';
import { common } from './options/common.js';
import { convertOptions, diffOptions, mergeOptions } from './options/report.js';
import { type Outcome, verb } from './verb.js';

/** All report verbs, in the order help shows them. */
export function reportVerbs(host: Host, outcome: Outcome): CommandUnknownOpts[] {
  return [
    schemaVerb(host, outcome),
    convertVerb(host, outcome),
    mergeVerb(host, outcome),
    diffVerb(host, outcome),
  ];
}

function schemaVerb(host: Host, outcome: Outcome): CommandUnknownOpts {
  const command = new Command('schema');
  return verb(
    {
      group: 'report',
      command,
      summary: 'the JSON Schema of the report that --format json prints',
      options: () => common(command),
      run: async (options, host) => (await import('../node/commands/report-schema.js')).run(options, host),
    },
    host,
    outcome,
  );
}

function convertVerb(host: Host, outcome: Outcome): CommandUnknownOpts {
  const command = new Command('convert').argument('<report>');
  return verb(
    {
      group: 'report',
      command,
      summary: 'a saved JSON report in another format',
      options: () => convertOptions(command),
      after: `<report> is a file, or - for stdin. Ends with 0 whatever the report says.

Examples:
  $ kaiactl report convert audit.json --format html > audit.html
  $ kaiactl report convert audit.json --report sarif=audit.sarif --report junit=audit.xml`,
      run: async (options, host, file) =>
        (await import('../node/commands/report-convert.js')).run({ ...options, file }, host),
    },
    host,
    outcome,
  );
}

function mergeVerb(host: Host, outcome: Outcome): CommandUnknownOpts {
  const command = new Command('merge').argument('<reports...>');
  return verb(
    {
      group: 'report',
      command,
      summary: 'the saved reports of shards as one',
      options: () => mergeOptions(command),
      after: `Targets keep the order of the files. Ends as the whole run would have:
70 before 2 before 1 before 3 before 0.

Examples:
  $ kaiactl report merge shard-*.json --format json > fleet.json
  $ kaiactl report merge shard-*.json --report html=fleet.html`,
      run: async (options, host, files) =>
        (await import('../node/commands/report-merge.js')).run({ ...options, files }, host),
    },
    host,
    outcome,
  );
}

function diffVerb(host: Host, outcome: Outcome): CommandUnknownOpts {
  const command = new Command('diff').argument('<before>').argument('<after>');
  return verb(
    {
      group: 'report',
      command,
      summary: 'what changed between two saved reports',
      options: () => diffOptions(command),
      after: `Findings are told apart by target and fingerprint. Exit codes: 1 a finding at or
above --fail-on is new or got worse, or a stranger reaches what inside calls
private; 3 something is not seen any more.

Examples:
  $ kaiactl report diff yesterday.json today.json
  $ kaiactl report diff --vantage inside.json outside.json --format markdown`,
      run: async (options, host, before, after) =>
        (await import('../node/commands/report-diff.js')).run({ ...options, before, after }, host),
    },
    host,
    outcome,
  );
}
