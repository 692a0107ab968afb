import { EngineError, openEngine } from '@tickrate/embedded';

export interface EngineTask {
  readonly folder: string;
  readonly configFile: string;
  readonly statements: readonly string[];
}

/** The answer to a statement, or the code and message of its rejection. */
export type StatementOutcome =
  | { readonly text: string }
  | { readonly code: number; readonly message: string };

// A process can contain only one engine and never releases it, so each user gets a process.
process.once('message', (task: EngineTask) => {
  run(task).then(
    (outcomes) => process.send?.(outcomes, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${error}\n`);
      process.exit(1);
    },
  );
});

async function run({ folder, configFile, statements }: EngineTask): Promise<StatementOutcome[]> {
  const engine = await openEngine({ folder, configFile, memoryLimitBytes: 2 * 1024 ** 3 });
  const connection = engine.connect('test');
  const outcomes: StatementOutcome[] = [];
  for (const statement of statements) {
    try {
      const { bytes } = await connection.query(statement, 'TabSeparated');
      outcomes.push({ text: Buffer.from(bytes).toString().trim() });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      outcomes.push({ code: error.code, message: error.message });
    }
  }
  await connection.close();
  engine.close();
  return outcomes;
}
