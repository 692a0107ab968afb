export interface ProjectPreparer {
  /** Begins to prepare the project, unless that happened a short time ago. Returns at once. */
  prepare(projectId: string): void;
  /** Begins with the oldest project: the first one after a start also opens the table of events for queries. */
  start(): Promise<void>;
  /** Resolves when nothing is being prepared. */
  stop(): Promise<void>;
}

interface PreparerDeps {
  readonly warehouse: { readonly prepareQueries: (projectId: string) => Promise<void> };
  readonly registry: { readonly projects: () => Promise<readonly { readonly id: string }[]> };
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}

const keptMs = 300_000;
const mostProjects = 1_000;
/** Many members can open the console together. Their projects must not use all connections. */
const mostAtOnce = 2;

/** Prepares the projects that are open in a browser, so that the first question there does not wait for views and users. */
export function createProjectPreparer({ warehouse, registry, now, onFault }: PreparerDeps): ProjectPreparer {
  const preparedMs = new Map<string, number>();
  const running = new Set<Promise<void>>();

  function isDue(projectId: string): boolean {
    return now() - (preparedMs.get(projectId) ?? -keptMs) >= keptMs;
  }

  function prepare(projectId: string): void {
    if (!isDue(projectId) || running.size >= mostAtOnce) return;
    if (preparedMs.size >= mostProjects) preparedMs.clear();
    preparedMs.set(projectId, now());
    const work = warehouse
      .prepareQueries(projectId)
      .catch((error: unknown) => {
        preparedMs.delete(projectId);
        onFault(error);
      })
      .finally(() => running.delete(work));
    running.add(work);
  }

  return {
    prepare,
    async start() {
      const [oldest] = await registry.projects().catch((error: unknown) => {
        onFault(error);
        return [];
      });
      if (oldest !== undefined) prepare(oldest.id);
    },
    async stop() {
      await Promise.all(running);
    },
  };
}
