/**
 * What every answer tells a browser: to guess no type, to run, load and frame nothing of it, to say nothing of where it
 * was. A page has a policy of its own.
 */
const contentPolicy = "default-src 'none'; frame-ancestors 'none'";

const always = ['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'];
const policy = ['Content-Security-Policy', contentPolicy];
const ofOurs = ['Cross-Origin-Resource-Policy', 'same-origin'];
const ofAny = ['Cross-Origin-Resource-Policy', 'cross-origin'];

const lists = {
  ours: [...always, ...ofOurs],
  any: [...always, ...ofAny],
  oursWithPolicy: [...always, ...ofOurs, ...policy],
  anyWithPolicy: [...always, ...ofAny, ...policy],
};

/** Names and values alternate. Pages of other origins can load a `crossOrigin` answer without a preflight, for example that of a beacon. */
export function safeHeaders(crossOrigin: boolean, hasPolicy: boolean): readonly string[] {
  if (hasPolicy) return crossOrigin ? lists.any : lists.ours;
  return crossOrigin ? lists.anyWithPolicy : lists.oursWithPolicy;
}
