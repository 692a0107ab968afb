import { createLedger, createQueueMonitor, readAccounts } from '@tickrate/pipeline';
import { CommandFault, type CommandResult, commandCodes, tableLines } from './command.ts';
import type { CommandPlace } from './command-place.ts';

const timeoutMs = 10_000;
const columns = ['accepted', 'stored', 'pending', 'deduplicated', 'dead', 'missing'] as const;

/** Where the events of every project, or of one, are. */
export async function readStatus(
  place: CommandPlace,
  { project, shards }: { readonly project: string | null; readonly shards: number },
): Promise<CommandResult> {
  const ledger = createLedger({ postgresUrl: place.postgresUrl, timeoutMs, maxConnections: 1 });
  try {
    await ledger.ping();
    const monitor = createQueueMonitor({ queueUrl: place.queueUrl, shards });
    await monitor.start();
    try {
      const accounts = await readAccounts({ ledger, pending: () => inTime(monitor.pending()) });
      return resultOf([...accounts].filter(([id]) => project === null || id === project));
    } finally {
      await monitor.stop();
    }
  } finally {
    await ledger.close();
  }
}

type Accounts = readonly (readonly [
  string,
  Awaited<ReturnType<typeof readAccounts>> extends Map<string, infer A> ? A : never,
])[];

function resultOf(accounts: Accounts): CommandResult {
  const rows = accounts.map(([project, account]) => [
    project,
    ...columns.map((column) => (account[column] === null ? '?' : String(account[column]))),
  ]);
  return {
    code: commandCodes.done,
    json: { projects: accounts.map(([projectId, account]) => ({ projectId, ...account })) },
    lines:
      rows.length === 0
        ? ['No event has been accepted yet']
        : tableLines([['PROJECT', ...columns.map((name) => name.toUpperCase())], ...rows]),
  };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new CommandFault('The queue does not answer', { code: commandCodes.unavailable }));
  }, timeoutMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
