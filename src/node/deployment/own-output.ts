/** Files that kaiactl wrote: baselines, saved facts, policies, and reports of every format. They start no node. */

const rule = '(?:gather|[a-z]+(?:-[a-z]+)+)';
const severity = '(?:critical|high|medium|low|info|undetermined|suppressed)';

/** The beginnings of each format. */
const headers: readonly RegExp[] = [
  /^\s*\{\s*"schema"\s*:\s*"kaiactl\//,
  // ndjson, whose first line is the first target.
  /^\{"name":"[^\n]*"kindBy":[^\n]*"interfaces":\[/,
  // SARIF and rdjson name their tool.
  /^\s*\{(?:[^\n]*\n){0,12}?[^\n]*"name"\s*:\s*"kaiactl"/,
  new RegExp(`^\\[\\s*\\{\\s*"description":[^\\n]*\\s*"check_name": ?"${rule}",\\s*"fingerprint"`),
  /^<\?xml[^>]*>\s*<testsuites name="kaiactl"/,
  /^<\?xml[^>]*>\s*<checkstyle\b[\s\S]{0,4000}?\bsource="kaiactl\./,
  new RegExp(`^::(?:error|warning|notice) [^\\n]*title=${severity}%3A ${rule}::`),
  new RegExp(`^(?:\\S[^\\n]*? )?${severity} +${rule} `),
  // A middle dot, which the head of a file may show as two characters.
  new RegExp(`^\\S[^\\n]* Â?· [\\s\\S]{0,4000}?^${severity} +${rule} `, 'm'),
  /^target,role,kind,severity,rule,subject,/,
  /^# kaiactl:/,
  /^<!doctype html>[\s\S]{0,4000}?<title>kaiactl/i,
  /^# HELP kaiactl_/m,
];

/** Whether the head of a file is that of a file that kaiactl wrote. */
export function isOwnOutput(head: string): boolean {
  return headers.some((header) => header.test(head));
}
