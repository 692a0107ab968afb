import { tableLines } from './command.ts';
import type { Command } from './define-command.ts';
import { type OptionTable, optionName } from './options.ts';
import { commonOptions } from './parse-command-line.ts';

const ending = `
Write \`npm run --silent tickrate -- …\` where the output goes into a file: npm prints lines of its own.
The key is TICKRATE_KEY, else the session of \`sign-in\`, else the key in the data folder.
\`migrate\`, \`first-project\`, \`sign-in-link\` and \`doctor\` open the databases: those of --data DIR, else POSTGRES_URL,
QUEUE_URL and CLICKHOUSE_URL, else those of .tickrate.
Exit codes: 0 done, 1 refused, 64 wrong use, 69 a server or a database is away, 70 internal fault, 78 wrong settings.
`;

export function helpText(commands: readonly Command[]): string {
  const lines = tableLines(commands.map((command) => [`  ${usageOf(command)}`, command.summary]));
  return `npm run tickrate -- <command> [options]\n\n${lines.join('\n')}\n\n${optionLines(commonOptions)}\n${ending}`;
}

export function helpOf(command: Command): string {
  const own = optionLines(command.options);
  const options = own === '' ? '' : `${own}\n`;
  return `npm run tickrate -- ${usageOf(command)} [options]\n\n${command.summary}\n\n${options}${optionLines(commonOptions)}\n`;
}

function usageOf({ words, operands }: Command): string {
  return operands === '' ? words : `${words} ${operands}`;
}

function optionLines(options: OptionTable): string {
  const rows = Object.entries(options).map(([key, { placeholder, help, repeatable }]) => [
    `  --${optionName(key)}${placeholder === null ? '' : ` ${placeholder}`}`,
    repeatable ? `${help}; repeatable` : help,
  ]);
  return tableLines(rows).join('\n');
}
