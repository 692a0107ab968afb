const rule = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;
/** Names that a query also uses for something else: our own tables, ClickHouse's databases, and its number tables. */
const reserved: ReadonlySet<string> = new Set([
  'events',
  'events_local',
  'migrations',
  'tickrate',
  'default',
  'information_schema',
  'system',
  'numbers',
  'numbers_mt',
]);

/**
 * Whether an event type can have this name. The view of a type in ClickHouse has the same name, quoted. ClickHouse
 * names are case-sensitive and can contain dots and dashes, so two allowed names never collide: `level_up`, `Level_Up`
 * and `level.up` are three types. Reserved names are reserved in any case. ClickHouse accepts view names of up to about 190 characters, with three for each dot
 * or dash; the warehouse shortens longer names.
 */
export function isEventTypeName(name: string): boolean {
  return rule.test(name) && !reserved.has(name.toLowerCase());
}
