import type { SearchSchemaInput } from '@tanstack/react-router';

export interface TypesSearch {
  /** The editor is open: for a new type in the list, for the type on its page. */
  readonly edit?: boolean | undefined;
}

export function readTypesSearch({ edit }: TypesSearch & SearchSchemaInput): TypesSearch {
  return { edit: edit === true ? true : undefined };
}
