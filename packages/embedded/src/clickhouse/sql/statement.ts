/** The SQL of a request (latin1, see the lexer), split where the server inserts text. */
export type Statement =
  | { readonly kind: 'empty' }
  | RefusedStatement
  | ReadStatement
  | CommandStatement
  | DataStatement;

export interface RefusedStatement {
  readonly kind: 'refused';
  readonly code: 'syntaxError' | 'notImplemented';
  readonly message: string;
}

/** Its result can be written to a file: `before` INTO OUTFILE … FORMAT `format` `after`. */
export interface ReadStatement {
  readonly kind: 'read';
  readonly before: string;
  readonly format: string | undefined;
  readonly after: string;
  /** Whether its settings contain `readonly`. */
  readonly setsReadonly: boolean;
}

/** All other statements without data: DDL, SET, KILL, EXPLAIN, INSERT … SELECT. */
export interface CommandStatement {
  readonly kind: 'command';
  readonly keyword: string;
  readonly format: string | undefined;
  readonly text: string;
  /** Whether its settings contain `readonly`. */
  readonly setsReadonly: boolean;
}

export type DataStatement = InsertStatement | InsertInputStatement;

/** INSERT whose data follow at `dataStart`: `before` FROM INFILE … `settings` FORMAT `format`. */
export interface InsertStatement {
  readonly kind: 'insert';
  readonly before: string;
  readonly settings: string;
  readonly format: string;
  readonly dataStart: number;
}

/** INSERT … SELECT … FROM input(structure) … FORMAT x: `before` a table of `structure` `after`. */
export interface InsertInputStatement {
  readonly kind: 'insertInput';
  readonly before: string;
  readonly structure: string;
  readonly after: string;
  readonly format: string;
  readonly dataStart: number;
}

/** The statement with another text instead of `before` or `text`. */
export function withText(statement: Statement, text: string): Statement {
  if (statement.kind === 'read') return { ...statement, before: text };
  return statement.kind === 'command' ? { ...statement, text } : statement;
}

export function isData(statement: Statement): statement is DataStatement {
  return statement.kind === 'insert' || statement.kind === 'insertInput';
}
