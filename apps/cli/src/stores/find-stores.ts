import { installationFilePath, readInstallationFile } from '@tickrate/platform';
import { CommandFault, commandCodes } from '../command-line/command.ts';
import type { CliValues } from '../config.ts';

export interface Stores {
  readonly postgresUrl: string;
  readonly queueUrl: string;
  readonly clickhouseUrl: string | null;
  readonly clickhouseDatabase: string;
}

/** Of the ClickHouse in a data folder. */
const localDatabase = 'tickrate';

/** The databases of the environment if it names one, otherwise those of the data folder. Throws a CommandFault. */
export function findStores(folder: string, values: CliValues): Stores {
  const { postgresUrl, queueUrl, clickhouseUrl, clickhouseDatabase } = values;
  if (postgresUrl !== null)
    return { postgresUrl, queueUrl: queueUrl ?? postgresUrl, clickhouseUrl, clickhouseDatabase };
  const file = readInstallationFile(folder);
  if (file?.postgres === undefined) {
    throw new CommandFault(
      `There is no ${installationFilePath(folder)}: run \`npm start\` first, name its folder with --data DIR, or set POSTGRES_URL`,
      { code: commandCodes.unavailable },
    );
  }
  return {
    postgresUrl: file.postgres,
    queueUrl: queueUrl ?? file.postgres,
    clickhouseUrl: clickhouseUrl ?? file.clickhouse ?? null,
    clickhouseDatabase: clickhouseUrl === null ? localDatabase : clickhouseDatabase,
  };
}
