import { dashboards, type Panel, type ProjectPanel, projectPanels } from './dashboard-panels.ts';

export const dashboardsFolder = 'deploy/grafana/dashboards';

const projectPath = 'deploy/grafana/project.json';

/** Each file of the dashboards with its text. */
export function grafanaDashboards(): Map<string, string> {
  const ofMetrics = Object.entries(dashboards).map(([name, { title, panels }]) => {
    const links = [
      { type: 'dashboards', tags: ['tickrate'], title: 'Tickrate', asDropdown: true, keepTime: true },
    ];
    const changes = { tags: ['tickrate'], editable: false, refresh: '30s', links };
    return [
      `${dashboardsFolder}/${name}.json`,
      dashboardOf(name, title, { ...changes, panels: place(panels) }),
    ] as const;
  });
  return new Map([
    ...ofMetrics,
    // One data source is one project. Each refresh uses the budget of the project's queries.
    [
      projectPath,
      dashboardOf('project', 'Tickrate: one project', {
        templating: { list: [{ name: 'project', label: 'Project', type: 'datasource', query: clickhouse }] },
        panels: place(projectPanels),
      }),
    ],
  ]);
}

const clickhouse = 'grafana-clickhouse-datasource';

function dashboardOf(name: string, title: string, more: object): string {
  const time = { from: 'now-6h', to: 'now' };
  return `${JSON.stringify({ uid: `tickrate-${name}`, title, schemaVersion: 39, time, ...more }, null, 2)}\n`;
}

const width = 24;

/** In rows: six figures, or three charts. */
function place(panels: readonly (Panel | ProjectPanel)[]): object[] {
  let x = 0;
  let y = 0;
  return panels.map((panel, at) => {
    const { title, unit } = panel;
    const isStat = 'isStat' in panel && panel.isStat;
    const [w, h] = isStat ? [4, 4] : [8, 8];
    const gridPos = { x, y, w, h };
    x = (x + w) % width;
    if (x === 0) y += h;
    return {
      id: at + 1,
      type: isStat ? 'stat' : 'timeseries',
      title,
      gridPos,
      fieldConfig: { defaults: { unit, noValue: '–', ...(!isStat && { min: 0 }) }, overrides: [] },
      ...(isStat && { options: { reduceOptions: { calcs: ['lastNotNull'] }, textMode: 'value_and_name' } }),
      ...('sql' in panel ? askProject(panel) : askPrometheus(panel)),
    };
  });
}

function askPrometheus({ queries }: Panel): object {
  return {
    datasource: { type: 'prometheus', uid: 'prometheus' },
    targets: Object.entries(queries).map(([legendFormat, expr], query) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + query),
      expr,
      legendFormat,
    })),
  };
}

function askProject({ sql }: ProjectPanel): object {
  return {
    datasource: { type: clickhouse, uid: '$project' },
    targets: [{ refId: 'A', editorType: 'sql', queryType: 'timeseries', format: 0, rawSql: sql }],
  };
}

/** Every query of the dashboards, after its legend. */
export function dashboardQueries(): [legend: string, query: string][] {
  return Object.values(dashboards).flatMap(({ panels }) =>
    panels.flatMap(({ queries }) => Object.entries(queries)),
  );
}
