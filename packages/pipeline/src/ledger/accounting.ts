import type { PendingEvents } from '../queue/queue-monitor.ts';
import type { Ledger } from './ledger.ts';
import type { ProjectTotals } from './ledger-totals.ts';

/** Where the events of a project are, since the beginning. */
export interface ProjectAccount {
  readonly accepted: number;
  readonly stored: number;
  readonly pending: number;
  readonly deduplicated: number;
  readonly dead: number;
  /** Accepted and nowhere. Anything but 0 is the alarm; null while the queue is too deep to be read. */
  readonly missing: number | null;
}

/**
 * For each project `accepted = stored + pending + deduplicated + dead + missing`, whenever it is read. The places are read
 * in the order in which events travel: one that moves on meanwhile is seen twice, never nowhere, so traffic alone never
 * looks like a loss. What is in the queue beyond what gateways have reported was accepted as well.
 */
export async function readAccounts(sources: {
  readonly ledger: Pick<Ledger, 'accepted' | 'totals'>;
  pending(): Promise<PendingEvents>;
}): Promise<Map<string, ProjectAccount>> {
  const { ledger } = sources;
  const before = { accepted: await ledger.accepted(), totals: await ledger.totals() };
  const queued = await sources.pending();
  const totals = await ledger.totals();
  const after = await ledger.accepted();
  const accounts = new Map<string, ProjectAccount>();
  for (const project of new Set([...after.keys(), ...queued.byProject.keys(), ...totals.keys()])) {
    const inQueue = queued.byProject.get(project) ?? 0;
    const ended = endedOf(totals.get(project));
    const seen = endedOf(before.totals.get(project)) + inQueue;
    const accepted = Math.max(after.get(project) ?? 0, seen, ended);
    const lost = Math.max(0, (before.accepted.get(project) ?? 0) - inQueue - ended);
    const missing = queued.complete ? lost : null;
    const pending = accepted - ended - (missing ?? 0);
    accounts.set(project, { accepted, ...(totals.get(project) ?? noTotals), pending, missing });
  }
  return accounts;
}

const noTotals: ProjectTotals = { stored: 0, deduplicated: 0, dead: 0 };

function endedOf({ stored, deduplicated, dead }: ProjectTotals = noTotals): number {
  return stored + deduplicated + dead;
}
