import { dashboards, type Panel } from './dashboard-panels.ts';

export const dashboardsFolder = 'deploy/grafana/dashboards';

/** Each file of the dashboards with its text. */
export function grafanaDashboards(): Map<string, string> {
  return new Map(
    Object.entries(dashboards).map(([name, { title, panels }]) => {
      const dashboard = {
        uid: `tickrate-${name}`,
        title,
        tags: ['tickrate'],
        editable: false,
        schemaVersion: 39,
        refresh: '30s',
        time: { from: 'now-6h', to: 'now' },
        links: [
          { type: 'dashboards', tags: ['tickrate'], title: 'Tickrate', asDropdown: true, keepTime: true },
        ],
        panels: place(panels),
      };
      return [`${dashboardsFolder}/${name}.json`, `${JSON.stringify(dashboard, null, 2)}\n`];
    }),
  );
}

const width = 24;

/** In rows: six figures, or three charts. */
function place(panels: readonly Panel[]): object[] {
  let x = 0;
  let y = 0;
  return panels.map(({ title, unit, queries, isStat = false }, at) => {
    const [w, h] = isStat ? [4, 4] : [8, 8];
    const gridPos = { x, y, w, h };
    x = (x + w) % width;
    if (x === 0) y += h;
    return {
      id: at + 1,
      type: isStat ? 'stat' : 'timeseries',
      title,
      datasource: { type: 'prometheus', uid: 'prometheus' },
      gridPos,
      fieldConfig: { defaults: { unit, noValue: '–', ...(!isStat && { min: 0 }) }, overrides: [] },
      ...(isStat && { options: { reduceOptions: { calcs: ['lastNotNull'] }, textMode: 'value_and_name' } }),
      targets: Object.entries(queries).map(([legendFormat, expr], query) => ({
        refId: String.fromCharCode('A'.charCodeAt(0) + query),
        expr,
        legendFormat,
      })),
    };
  });
}

/** Every query of the dashboards, after its legend. */
export function dashboardQueries(): [legend: string, query: string][] {
  return Object.values(dashboards).flatMap(({ panels }) =>
    panels.flatMap(({ queries }) => Object.entries(queries)),
  );
}
