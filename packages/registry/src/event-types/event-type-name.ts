const rule = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;
/** The view of all events of a project. */
const reserved: ReadonlySet<string> = new Set(['events']);

/**
 * Whether an event type can have this name. The view of a type in ClickHouse has the same name, quoted. ClickHouse
 * names are case-sensitive and can contain dots and dashes, so two allowed names never collide: `level_up`, `Level_Up`
 * and `level.up` are three types. ClickHouse accepts view names of up to about 190 characters, with three for each dot
 * or dash; the warehouse shortens longer names.
 */
export function isEventTypeName(name: string): boolean {
  return rule.test(name) && !reserved.has(name);
}
