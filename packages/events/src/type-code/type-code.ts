import { cppCode } from './cpp-code.ts';
import { csharpCode } from './csharp-code.ts';
import { gdscriptCode } from './gdscript-code.ts';
import { typeName } from './type-name.ts';
import { type CodedType, typescriptCode } from './typescript-code.ts';
import { unityCode } from './unity-code.ts';

/** Every language that event types are written in. The API and the `tickrate` command use these names. */
export const codeLanguages = ['typescript', 'csharp', 'unity', 'gdscript', 'cpp'] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

interface Writer {
  readonly extension: string;
  readonly write: (type: CodedType) => string;
}

const writers: Readonly<Record<CodeLanguage, Writer>> = {
  typescript: { extension: 'ts', write: typescriptCode },
  csharp: { extension: 'cs', write: csharpCode },
  unity: { extension: 'cs', write: unityCode },
  gdscript: { extension: 'gd', write: gdscriptCode },
  cpp: { extension: 'hpp', write: cppCode },
};

export interface TypeCode {
  readonly fileName: string;
  readonly code: string;
}

/** One version of an event type as code, as one file. */
export function writeTypeCode(language: CodeLanguage, type: CodedType): TypeCode {
  const { extension, write } = writers[language];
  return { fileName: `${typeName(type.name)}.${extension}`, code: write(type) };
}
