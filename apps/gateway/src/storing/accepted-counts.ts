/** The accepted events of each project since this process started, and how many of them the ledger knows. */
export type AcceptedCounts = ReturnType<typeof createAcceptedCounts>;

export function createAcceptedCounts() {
  const totals = new Map<string, number>();
  const known = new Map<string, number>();
  const changed = new Set<string>();
  return {
    /** Counts events that were answered with success. */
    add(projectId: string, events: number) {
      totals.set(projectId, (totals.get(projectId) ?? 0) + events);
      changed.add(projectId);
    },
    /** Returns how many events of a project the ledger does not know yet. */
    unreported: (projectId: string) => (totals.get(projectId) ?? 0) - (known.get(projectId) ?? 0),
    /** Returns the totals of the projects that changed since the last call. */
    takeChanged(): ReadonlyMap<string, number> {
      const taken = new Map([...changed].map((project) => [project, totals.get(project) ?? 0]));
      changed.clear();
      return taken;
    },
    /** The ledger knows these totals. */
    reported(taken: ReadonlyMap<string, number>) {
      for (const [project, total] of taken) known.set(project, total);
    },
    /** The ledger does not know these totals: they count as changed again. */
    putBack(taken: ReadonlyMap<string, number>) {
      for (const project of taken.keys()) changed.add(project);
    },
  };
}
