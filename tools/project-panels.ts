import type { Panel } from './dashboard-panels.ts';

export interface ProjectPanel extends Pick<Panel, 'title' | 'unit'> {
  readonly sql: string;
}

const inRange = 'FROM events WHERE $__timeFilter(occurred)';
const lateBySeconds = "dateDiff('millisecond', occurred, received) / 1000";
const overTime = (figures: string, by = '') =>
  `SELECT $__timeInterval(occurred) AS time, ${by}${figures} ${inRange} GROUP BY ${by}time ORDER BY time`;
const rateBy = (by: string) => overTime('count() / $__interval_s AS events', `${by}, `);

/** Of the project of the data source's BI user, who needs no personal data. */
export const projectPanels: readonly ProjectPanel[] = [
  { title: 'Events, by type', unit: 'eps', sql: rateBy('type') },
  { title: 'Events, by version of their type', unit: 'eps', sql: rateBy('type, version') },
  { title: 'Events, by kind of key', unit: 'eps', sql: rateBy('key_kind') },
  { title: 'Events, by SDK', unit: 'eps', sql: rateBy('sdk_name, sdk_version') },
  {
    title: 'Delay from an event to its arrival',
    unit: 's',
    sql: overTime(`quantile(0.5)(${lateBySeconds}) AS p50, quantile(0.99)(${lateBySeconds}) AS p99`),
  },
  {
    title: 'Events that arrived over an hour late',
    unit: 'short',
    sql: overTime(`countIf(${lateBySeconds} > 3600) AS events`),
  },
];
