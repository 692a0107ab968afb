const rule = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;
/** The view of all events of a project. */
const reserved: ReadonlySet<string> = new Set(['events']);

/**
 * Whether an event type may have this name. A type's view in ClickHouse has the very same name, quoted, and there
 * names are told apart by case and may hold dots and dashes: so no two names that are allowed here collide there,
 * and `level_up`, `Level_Up` and `level.up` are three types. (Measured: a view's name, with each dot and dash written
 * as three characters, has room for some 190; a longer one is for the warehouse to shorten.)
 */
export function isEventTypeName(name: string): boolean {
  return rule.test(name) && !reserved.has(name);
}
