import { bad, checkClock, type Finding, good, reasonOf, timeoutMs } from './finding.ts';

const check = 'Provider of administrators';

/** Checks the OpenID Connect provider as auth uses it: without redirects, and by its exact name. */
export async function checkIssuer(issuer: string | null, nowMs: () => number): Promise<Finding[]> {
  if (issuer === null) return [];
  try {
    const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    const { issuer: named } = (await answer.json()) as { readonly issuer?: unknown };
    if (named !== issuer) {
      const found = `${issuer} calls itself ${JSON.stringify(named)}`;
      return [bad(check, found, 'Set ADMIN_OIDC_ISSUER to exactly this')];
    }
    // A cache keeps the date of its copy, and adds the age.
    const ageMs = Number(answer.headers.get('age') ?? 0) * 1000;
    const dateMs = Date.parse(answer.headers.get('date') ?? '') + ageMs;
    return [
      good(check, `${issuer} answers`),
      ...(Number.isNaN(dateMs) ? [] : [checkClock(`${check}: clock`, dateMs + 500 - nowMs())]),
    ];
  } catch (error) {
    const advice =
      'Correct ADMIN_OIDC_ISSUER, or let this host reach it. For a certificate authority of your own, set NODE_EXTRA_CA_CERTS';
    return [bad(check, `${issuer}: ${reasonOf(error)}`, advice)];
  }
}
