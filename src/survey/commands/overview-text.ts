/** `survey admin show`: a table, and a plot of joins per hour. */
import { visible } from '../../util/visible.js';
import { count, groupDigits } from '../../util/words.js';
import { type HourJoins, hourName, type Overview } from '../server/overview.js';
import { hourMs } from '../store/join-counts.js';
import { policyRows } from './admin-policy.js';
import { csv } from './admin-report.js';

const maxHours = 72;
const plotHeight = 6;
const blocks = [...' ▁▂▃▄▅▆▇█'];

export function overviewText(of: Overview, width: number): string {
  const rows = tableRows(of);
  const label = Math.max(...rows.map(([name]) => name.length)) + 2;
  // The value starts a line of its own where it does not fit beside its name.
  const lines = rows.map(([name, given]) => {
    const value = visible(given, 400);
    return label + value.length <= width ? `${name.padEnd(label)}${value}` : `${name}\n  ${value}`;
  });
  return `${[...lines, '', ...plot(of, width)].join('\n')}\n`;
}

export function tableRows(of: Overview): [name: string, value: string][] {
  return [
    ['survey', of.survey],
    ['state', of.closed ? 'closed' : 'open'],
    ['members', groupDigits(of.members)],
    ['joins today', `${groupDigits(of.joinsToday)} (UTC)`],
    ['joins counted', groupDigits(of.joinsCounted)],
    ['last join', of.lastJoin === null ? 'none counted' : hourText(of.lastJoin)],
    ...policyRows(of.policy),
    ...paymentRows(of),
    ...of.refusals.map(({ reason, count }): [string, string] => [`refused: ${reason}`, groupDigits(count)]),
  ];
}

export function paymentRows({ payments }: Overview): [name: string, value: string][] {
  return Object.entries(payments).map(([state, count]) => [`payments ${state} (store)`, groupDigits(count)]);
}

/** `2026-11-23 18h UTC`. */
export function hourText(hour: string): string {
  return `${hour.slice(0, 10)} ${hour.slice(11, 13)}h UTC`;
}

/** One entry for each hour, the last `max` of them up to the hour of `at`; hours without joins are zero. */
export function everyHour({ hours, at }: Pick<Overview, 'hours' | 'at'>, max: number): HourJoins[] {
  const known = new Map(hours.map((one) => [one.hour, one]));
  const last = Math.floor(at / hourMs);
  const begins = hours[0]?.hour.replace('Z', ':00:00Z');
  const first = begins === undefined ? last : Math.floor(Date.parse(begins) / hourMs);
  const length = Math.max(1, Math.min(max, last - first + 1));
  return Array.from({ length }, (_, n) => {
    const hour = hourName(last - length + 1 + n);
    return known.get(hour) ?? { hour, joins: 0, refused: 0 };
  });
}

function plot(of: Overview, width: number): string[] {
  const top = Math.max(0, ...of.hours.map(({ joins }) => joins));
  const axis = groupDigits(top).length + 1;
  const room = Math.min(maxHours, width - axis - 2);
  const hours = everyHour(of, room);
  const max = Math.max(...hours.map(({ joins }) => joins));
  const [first, last] = [hours[0]?.hour ?? '', hours.at(-1)?.hour ?? ''];
  if (of.joinsCounted === 0) return ['no joins were counted yet'];
  if (max === 0) return [`no joins in the last ${count(hours.length, 'hour')}`];
  const lines = Array.from({ length: plotHeight }, (_, row) => {
    const floor = plotHeight - 1 - row;
    const name = row === 0 ? groupDigits(max) : floor === 0 ? '0' : '';
    const bars = hours.map(({ joins }) =>
      block((joins / max) * plotHeight - floor, joins > 0 && floor === 0),
    );
    return `${name.padStart(axis)} ${bars.join('')}`.trimEnd();
  });
  const [from = '', to = ''] = [first, last].map((hour) => `${hour.slice(5, 10)} ${hour.slice(11, 13)}h`);
  const gap = hours.length - from.length - to.length;
  const ends = gap >= 1 ? `${from}${' '.repeat(gap)}${to}` : `${from} to ${to}`;
  return ['joins per hour (UTC)', ...lines, `${' '.repeat(axis + 1)}${ends}`];
}

/** At least an eighth where there was a join. */
function block(height: number, isShown: boolean): string {
  const eighths = Math.min(8, Math.max(isShown ? 1 : 0, Math.round(height * 8)));
  return blocks[eighths] ?? ' ';
}

export function overviewRows({ hours }: Overview): string {
  return csv(['hour', 'joins', 'refused'], hours);
}
