import { withoutPassword } from '../telemetry/redact.ts';
import { envExampleText, helpText, markdownTable, valueText } from './config-text.ts';
import { parseValue } from './config-value.ts';
import type { Declaration, Values } from './config-variable.ts';
import { nearestName } from './nearest-name.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Config<D extends Declaration> {
  /** The values of an environment, which is the process' own unless one is given. Throws a ConfigFault with all faults. */
  parse(environment?: Environment): Values<D>;
  /** Names in an environment that mean nothing here and are almost the name of a variable that is not set. */
  misspelled(environment?: Environment): readonly { readonly name: string; readonly meant: string }[];
  /** The values by variable name, fit to be logged: secrets and passwords inside URLs are masked. */
  dump(values: Values<D>): Readonly<Record<string, string>>;
  help(): string;
  envExample(): string;
  markdown(): string;
}

export interface VariableFault {
  readonly name: string;
  readonly fault: string;
}

export class ConfigFault extends Error {
  readonly faults: readonly VariableFault[];

  constructor(faults: readonly VariableFault[]) {
    super(
      `The configuration is not valid:\n${faults.map((each) => `  ${each.name} ${each.fault}`).join('\n')}`,
    );
    this.name = 'ConfigFault';
    this.faults = faults;
  }
}

/** The one declaration of what can be configured: from it come the types, the parser and the documents. */
export function defineConfig<const D extends Declaration>(declaration: D): Config<D> {
  refuseTwins(declaration);
  return {
    parse: (environment = process.env) => parse(declaration, environment),
    misspelled: (environment = process.env) =>
      misspelledSettings(
        Object.values(declaration).map(({ name }) => name),
        environment,
      ),
    dump: (values) => dump(declaration, values),
    help: () => helpText(declaration),
    envExample: () => envExampleText(declaration),
    markdown: () => markdownTable(declaration),
  };
}

function parse<D extends Declaration>(declaration: D, environment: Environment): Values<D> {
  const values: Record<string, unknown> = {};
  const faults: VariableFault[] = [];
  for (const [member, variable] of Object.entries(declaration)) {
    const text = environment[variable.name]?.trim() ?? '';
    if (text === '') {
      if (variable.default === undefined) faults.push({ name: variable.name, fault: 'is required' });
      values[member] = variable.default ?? null;
      continue;
    }
    const parsed = parseValue(variable, text);
    if (parsed.ok) values[member] = parsed.value;
    else faults.push({ name: variable.name, fault: parsed.fault });
  }
  if (faults.length > 0) throw new ConfigFault(faults);
  return values as Values<D>;
}

/** Shorter names are close to too many others. */
const fewestLetters = 8;

/** Variables that are no setting, but look like one that is not set. */
export function misspelledSettings(
  names: readonly string[],
  environment: Environment = process.env,
): { readonly name: string; readonly meant: string }[] {
  const unset = names.filter((name) => name.length >= fewestLetters && environment[name] === undefined);
  return Object.keys(environment).flatMap((name) => {
    const meant = names.includes(name) ? null : nearestName(name, unset);
    return meant === null ? [] : [{ name, meant }];
  });
}

function dump<D extends Declaration>(declaration: D, values: Values<D>): Readonly<Record<string, string>> {
  const shown: Record<string, string> = {};
  for (const [member, variable] of Object.entries(declaration)) {
    const text = valueText(variable, values[member]);
    shown[variable.name] = variable.type === 'secret' && text !== '' ? '[redacted]' : withoutPassword(text);
  }
  return shown;
}

function refuseTwins(declaration: Declaration): void {
  const names = Object.values(declaration).map((variable) => variable.name);
  const twin = names.find((name, at) => names.indexOf(name) !== at);
  if (twin !== undefined) throw new Error(`The variable ${twin} is declared twice`);
}
