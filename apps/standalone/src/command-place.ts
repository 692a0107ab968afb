import { CommandFault, commandCodes } from './command.ts';
import type { StandaloneValues } from './config.ts';
import { readStandaloneFile, standaloneFilePath } from './standalone-file.ts';

/** Where a command works. */
export interface CommandPlace {
  readonly postgresUrl: string;
  readonly queueUrl: string;
  readonly clickhouseUrl: string | null;
  /** The project that is meant when none is named. */
  readonly projectId: string | null;
}

/** Of the environment when it names a database, else from what `npm start` wrote into the data folder. */
export function findPlace(folder: string, values: StandaloneValues): CommandPlace {
  const { postgresUrl, queueUrl, clickhouseUrl } = values;
  if (postgresUrl !== null) {
    return { postgresUrl, queueUrl: queueUrl ?? postgresUrl, clickhouseUrl, projectId: null };
  }
  const file = readStandaloneFile(folder);
  if (file?.postgres === undefined) {
    throw new CommandFault(
      `There is no ${standaloneFilePath(folder)}: run \`npm start\` first, name its folder with --data DIR, or set POSTGRES_URL`,
      { code: commandCodes.unavailable },
    );
  }
  return {
    postgresUrl: file.postgres,
    queueUrl: queueUrl ?? file.postgres,
    clickhouseUrl: clickhouseUrl ?? file.clickhouse ?? null,
    projectId: file.projectId ?? null,
  };
}
