import { writtenUnits } from './config-value.ts';
import type { Declaration, Variable } from './config-variable.ts';

/** The text of a value: an operator can write it, and `parse` reads it back. */
export function valueText(variable: Variable, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join(',');
  if (typeof value === 'number' && (variable.type === 'bytes' || variable.type === 'durationMs'))
    return withUnit(value, writtenUnits[variable.type]);
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

function withUnit(value: number, units: readonly (readonly [string, number])[]): string {
  const largest = units.find(([, size]) => value !== 0 && value % size === 0);
  const [unit, size] = largest ?? units.at(-1) ?? ['', 1];
  return `${value / size}${unit}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
