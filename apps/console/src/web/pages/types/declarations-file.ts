import { type AnswerOf, type BodyOf, call, type RowOf } from '../../api/call.ts';
import { download } from '../../export/download.ts';
import { parseDeclaration } from './editor/parse-declaration.ts';

export type DeclarationFile = BodyOf<'POST /v1/declarations'>['declarations'][number];
export type ImportOutcome = RowOf<'POST /v1/declarations'>;

const mostPerPage = 200;
const mostPerCall = 100;

/** The newest declaration of every type, as the page and `POST /v1/declarations` take it. */
export async function exportDeclarations(projectId: string): Promise<void> {
  const declarations: DeclarationFile[] = [];
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page: AnswerOf<'GET /v1/declarations'> = await call('GET /v1/declarations', {
      query: { limit: mostPerPage, cursor },
      projectId,
    });
    declarations.push(...page.results);
    cursor = page.next;
  }
  const text = `${JSON.stringify({ declarations }, null, 2)}\n`;
  download('declarations.json', new Blob([text], { type: 'application/json' }));
}

/** Null if the text has no declarations, or a number that a browser would round. One declaration is a file too. */
export function readDeclarations(text: string): readonly DeclarationFile[] | null {
  const { declaration: file } = parseDeclaration(text);
  if (file === null) return null;
  const listed = file['declarations'] ?? [file];
  return Array.isArray(listed) && listed.length > 0 && listed.every(isDeclaration) ? listed : null;
}

function isDeclaration(value: unknown): value is DeclarationFile {
  if (typeof value !== 'object' || value === null) return false;
  const { name, declaration } = value as Partial<DeclarationFile>;
  return typeof name === 'string' && typeof declaration === 'object' && declaration !== null;
}

/** The outcome of each, in their order. */
export async function importDeclarations(
  declarations: readonly DeclarationFile[],
  { projectId, dryRun }: { readonly projectId: string; readonly dryRun: boolean },
): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  for (let at = 0; at < declarations.length; at += mostPerCall) {
    const body = { declarations: declarations.slice(at, at + mostPerCall), dryRun };
    outcomes.push(...(await call('POST /v1/declarations', { body, projectId })).results);
  }
  return outcomes;
}
