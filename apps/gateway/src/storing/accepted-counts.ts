/** The accepted events of each project since this process started, and how many of them the ledger knows. */
export interface AcceptedCounts {
  /** Counts events that were answered with success. */
  add(projectId: string, events: number): void;
  /** Returns how many events of a project the ledger does not know yet. */
  unreported(projectId: string): number;
  /** Returns the totals of the projects that changed since the last call. */
  takeChanged(): ReadonlyMap<string, number>;
  /** The ledger knows these totals. */
  reported(totals: ReadonlyMap<string, number>): void;
  /** The ledger does not know these totals: they count as changed again. */
  putBack(totals: ReadonlyMap<string, number>): void;
}

export function createAcceptedCounts(): AcceptedCounts {
  const totals = new Map<string, number>();
  const known = new Map<string, number>();
  const changed = new Set<string>();
  return {
    add(projectId, events) {
      totals.set(projectId, (totals.get(projectId) ?? 0) + events);
      changed.add(projectId);
    },
    unreported: (projectId) => (totals.get(projectId) ?? 0) - (known.get(projectId) ?? 0),
    takeChanged() {
      const taken = new Map([...changed].map((project) => [project, totals.get(project) ?? 0]));
      changed.clear();
      return taken;
    },
    reported(taken) {
      for (const [project, total] of taken) known.set(project, total);
    },
    putBack(taken) {
      for (const project of taken.keys()) changed.add(project);
    },
  };
}
