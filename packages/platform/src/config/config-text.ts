import type { Declaration, Variable } from './config-variable.ts';

const binaryUnits = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const;
const timeUnits = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** The text of a value: an operator can write it, and `parse` reads it back. */
export function valueText(variable: Variable, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join(',');
  if (typeof value === 'number' && variable.type === 'bytes') return withUnit(value, binaryUnits, '');
  if (typeof value === 'number' && variable.type === 'durationMs') return withUnit(value, timeUnits, 'ms');
  return String(value);
}

export function helpText(declaration: Declaration): string {
  const variables = Object.values(declaration);
  const width = Math.max(0, ...variables.map((variable) => variable.name.length));
  const lines = variables.map(
    (variable) =>
      `  ${variable.name.padEnd(width)}  ${variable.help} (${typeText(variable)}; ${defaultText(variable)})`,
  );
  return `Environment variables:\n${lines.join('\n')}\n`;
}

/** A file that can be copied to `.env` as it is: what has a default is commented out. */
export function envExampleText(declaration: Declaration): string {
  const blocks = Object.values(declaration).map((variable) => {
    const assignment = `${variable.name}=${valueText(variable, variable.default)}`;
    const line = variable.default === undefined ? assignment : `# ${assignment}`;
    return `# ${variable.help} (${typeText(variable)}; ${defaultText(variable)})\n${line}\n`;
  });
  return blocks.join('\n');
}

export function markdownTable(declaration: Declaration): string {
  const rows = Object.values(declaration).map((variable) => {
    const text = valueText(variable, variable.default);
    const code = text === '' ? '' : `\`${text}\``;
    const byDefault = variable.default === undefined ? '**required**' : code;
    return `| \`${variable.name}\` | ${cell(typeText(variable))} | ${cell(byDefault)} | ${cell(variable.help)} |`;
  });
  return `| variable | type | default | what it does |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

const typeNames: Partial<Record<Variable['type'], string>> = {
  int: 'integer',
  bytes: 'size',
  durationMs: 'duration',
  list: 'comma-separated list',
  url: 'URL',
};

function typeText(variable: Variable): string {
  if (variable.type === 'enum') return variable.values.join(' | ');
  return typeNames[variable.type] ?? variable.type;
}

function defaultText(variable: Variable): string {
  if (variable.default === undefined) return 'required';
  const text = valueText(variable, variable.default);
  return text === '' ? 'none by default' : `default ${text}`;
}

function withUnit(value: number, units: readonly (readonly [string, number])[], otherwise: string): string {
  for (const [unit, size] of units) {
    if (value !== 0 && value % size === 0) return `${value / size}${unit}`;
  }
  return `${value}${otherwise}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
