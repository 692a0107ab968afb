import type { SearchSchemaInput } from '@tanstack/react-router';

type Fields = Readonly<Record<string, (value: unknown) => unknown>>;
type SearchOf<F extends Fields> = { readonly [K in keyof F]: ReturnType<F[K]> };

/** Reads the parameters of an address for `validateSearch`, one field each. A field leaves a wrong value out. */
export function searchReader<const F extends Fields>(fields: F) {
  return (search: Partial<SearchOf<F>> & SearchSchemaInput): SearchOf<F> => {
    const given: Readonly<Record<string, unknown>> = search;
    return Object.fromEntries(
      Object.entries(fields).map(([name, read]) => [name, read(given[name])]),
    ) as SearchOf<F>;
  };
}

export function textTo(mostCharacters: number) {
  return (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' && value.length <= mostCharacters ? value : undefined;
}

export function oneOf<const T extends string>(choices: readonly T[]) {
  return (value: unknown): T | undefined => choices.find((each) => each === value);
}

export function flag(value: unknown): true | undefined {
  return value === true ? true : undefined;
}
