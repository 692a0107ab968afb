import { EngineError } from '../engine/engine-error.ts';
import { REPLACED_FUNCTIONS } from '../sql/system-tables.ts';

export const Code = {
  accessDenied: [497, 'ACCESS_DENIED'],
  databaseAccessDenied: [291, 'DATABASE_ACCESS_DENIED'],
  unknownSetting: [115, 'UNKNOWN_SETTING'],
  unknownFormat: [73, 'UNKNOWN_FORMAT'],
  badArguments: [36, 'BAD_ARGUMENTS'],
  fileDoesNotExist: [107, 'FILE_DOESNT_EXIST'],
  syntaxError: [62, 'SYNTAX_ERROR'],
  notImplemented: [48, 'NOT_IMPLEMENTED'],
  readonly: [164, 'READONLY'],
  queryIsTooLarge: [229, 'QUERY_IS_TOO_LARGE'],
  sessionNotFound: [372, 'SESSION_NOT_FOUND'],
  sessionIsLocked: [373, 'SESSION_IS_LOCKED'],
  invalidSessionTimeout: [374, 'INVALID_SESSION_TIMEOUT'],
  lengthRequired: [381, 'HTTP_LENGTH_REQUIRED'],
  authenticationFailed: [516, 'AUTHENTICATION_FAILED'],
  notEnoughSpace: [243, 'NOT_ENOUGH_SPACE'],
  unknownCompressionMethod: [89, 'UNKNOWN_COMPRESSION_METHOD'],
  cannotDecompress: [271, 'CANNOT_DECOMPRESS'],
  sameQueryId: [216, 'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING'],
} as const satisfies Record<string, readonly [number, string]>;

export function fault(code: readonly [number, string], message: string): EngineError {
  return new EngineError(code[0], code[1], message);
}

const STATUS: ReadonlyMap<number, number> = new Map(
  Object.entries({
    400: [
      6, 8, 15, 25, 26, 27, 36, 37, 38, 41, 44, 53, 62, 72, 117, 123, 167, 168, 223, 321, 376, 427, 441, 675,
      676,
    ],
    401: [194],
    403: [192, 193, 497, 512, 516],
    404: [46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 152, 336, 511],
    408: [159],
    411: [381],
    413: [229],
    415: [779],
    501: [48],
    503: [76, 209, 439],
  }).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
);

export function statusOf(code: number): number {
  return STATUS.get(code) ?? 500;
}

/** A lower-case `format` is the default format. */
const TO_FILE = String.raw`(?:INTO )?OUTFILE '[^']*' TRUNCATE(?: format \w+)?`;
const FROM_FILE = `(?:FROM )?INFILE '[^']*'(?: COMPRESSION '[a-z0-9]+')?`;
const FILE = new RegExp(String.raw`\s*(?:${TO_FILE}|${FROM_FILE})`, 'g');
/** A syntax error where the client's own text ends. */
const AT_FILE = new RegExp(
  String.raw`\((?:INTO|FROM|OUTFILE|INFILE)\)( \(line \d+, col \d+\))?: (?:${TO_FILE}|${FROM_FILE})`,
  'g',
);
/** Temporary tables are named like the call that they hold the rows of. */
const CALL = /`((?:file|input)\((?:[^`\\]|\\.)*\))`/g;
const BODIES = [...new Set(Object.values(REPLACED_FUNCTIONS))].map((body) => RegExp.escape(body)).join('|');
const LAMBDA = new RegExp(`Lambda (?:${BODIES})`, 'g');
const SCOPE = new RegExp(`[.:]? in scope (?:${BODIES})`, 'gi');
/** Names of functions, twice where this server replaces one. */
const HINTS = /(?<=Maybe you meant: \[)'(?:[^'\\]|\\.)*'(?:,'(?:[^'\\]|\\.)*')*(?=\])/g;
const HINT = /'(?:[^'\\]|\\.)*'/g;
/** How the engine executes a function of this server. */
const REPLACED = /(The function \w+\(\) is not supported): while executing [\s\S]*/;
/** FUNCTION_THROW_IF_VALUE_IS_NON_ZERO */
const THROWN = 395;
const FILE_REFUSED = 'The function file() is not supported';
const REST_OF_PATH = String.raw`[^\s'"\`(),;:]*`;

/** Errors quote the statement and name files. This removes the server's own text and paths. */
export function createRedact(folders: readonly string[]): (error: EngineError) => EngineError {
  const known = folders.map((folder) => new RegExp(RegExp.escape(folder) + REST_OF_PATH, 'g'));
  return ({ code, type, message }) => {
    const own = message
      .replace(AT_FILE, '(end of query)$1: ')
      .replace(FILE, '')
      .replace(CALL, '$1')
      .replace(LAMBDA, 'A function of this server')
      .replace(SCOPE, '')
      .replace(REPLACED, '$1')
      .replace(HINTS, (names) => [...new Set(names.match(HINT))].join(','));
    const shown = known.reduce((text, path) => text.replace(path, '<file>'), own);
    // A server answers so for a path outside `user_files`.
    if (code === THROWN && shown.startsWith(FILE_REFUSED)) return fault(Code.databaseAccessDenied, shown);
    return new EngineError(code, type, shown);
  };
}
