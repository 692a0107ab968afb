import { wrongUse } from './command.ts';

/** One option of a command: the name of its value, its help, and how its text becomes a value. */
export interface Option<T = unknown> {
  /** `TIME` in `--from TIME`; null for a flag. */
  readonly placeholder: string | null;
  readonly help: string;
  readonly repeatable: boolean;
  /** For completion. */
  readonly choices: readonly string[];
  /** `texts` contains every occurrence of the option. Throws a CommandFault. */
  read(name: string, texts: readonly string[]): T;
}

export type OptionTable = Readonly<Record<string, Option>>;
export type OptionValues<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends Option<infer V> ? V : never;
};

const single = { repeatable: false, choices: [] } as const;

export function textOption(placeholder: string, help: string): Option<string | undefined> {
  return { ...single, placeholder, help, read: (_name, texts) => texts.at(-1) };
}

export function flagOption(help: string): Option<boolean> {
  return { ...single, placeholder: null, help, read: (_name, texts) => texts.length > 0 };
}

export function listOption(placeholder: string, help: string): Option<readonly string[]> {
  return { placeholder, help, repeatable: true, choices: [], read: (_name, texts) => texts };
}

export function countOption(
  placeholder: string,
  help: string,
  { least = 0 }: { readonly least?: number } = {},
): Option<number | undefined> {
  return {
    ...single,
    placeholder,
    help,
    read(name, texts) {
      const text = texts.at(-1);
      if (text === undefined) return undefined;
      if (!/^\d{1,9}$/.test(text)) throw wrongUse(`--${name}: expected a whole number, got '${text}'`);
      if (Number(text) < least) throw wrongUse(`--${name} is at least ${least}`);
      return Number(text);
    },
  };
}

export function choiceOption<const C extends string>(
  choices: readonly C[],
  help: string,
): Option<C | undefined> {
  return {
    placeholder: choices.join('|'),
    help,
    repeatable: false,
    choices,
    read(name, texts) {
      const text = texts.at(-1);
      const choice = choices.find((each) => each === text);
      if (text !== undefined && choice === undefined) {
        throw wrongUse(`--${name}: expected ${choices.join(', ')}, got '${text}'`);
      }
      return choice;
    },
  };
}

/** `dryRun` is `--dry-run`. */
export function optionName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
