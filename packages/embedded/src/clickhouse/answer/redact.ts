import { EngineError } from '../engine/engine-error.ts';

const TO_FILE = /\s*INTO OUTFILE '[^']*' TRUNCATE( COMPRESSION '[a-z0-9]+')?/g;
const FROM_FILE = / FROM INFILE '[^']*'( COMPRESSION '[a-z0-9]+')?/g;
const REST_OF_PATH = String.raw`[^\s'"\`(),;:]*`;

/** Faults quote the statement and name files: what we put there, and where it is, is not the client's business. */
export function createRedact(folders: readonly string[]): (error: EngineError) => EngineError {
  const known = folders.map((folder) => new RegExp(RegExp.escape(folder) + REST_OF_PATH, 'g'));
  return ({ code, type, message }) => {
    const own = message.replace(TO_FILE, '').replace(FROM_FILE, '');
    const shown = known.reduce((text, path) => text.replace(path, '<file>'), own);
    return new EngineError(code, type, shown);
  };
}
