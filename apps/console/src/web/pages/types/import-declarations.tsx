import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type BodyOf, call, everyPage, type RowOf } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { useProjectId } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogEnd } from '../../components/dialogs/dialog.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { FileButton } from '../../components/file-button.tsx';
import { FaultText, PageState, ProblemNote } from '../../components/states/page-state.tsx';
import { download } from '../../export/download.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { breaks, ChangeList } from './change-list.tsx';
import { parseDeclaration } from './editor/parse-declaration.ts';
import { typesTexts } from './types-texts.ts';

/** Writes all declarations into one file, and declares those of a file after their differences were shown. */
export function DeclarationFileButtons(): ReactNode {
  const texts = useTexts(typesTexts);
  const projectId = useProjectId();
  const [read, setRead] = useState<readonly DeclarationFile[] | 'wrong' | null>(null);
  const written = useMutation<void, Problem>({ mutationFn: () => exportDeclarations(projectId) });
  return (
    <>
      {read === 'wrong' && (
        <span role="alert" className="text-bad">
          {texts.importWrong}
        </span>
      )}
      <ProblemNote problem={written.error} />
      <Button icon="download" isDisabled={written.isPending} onPress={() => written.mutate()}>
        {texts.exportAll}
      </Button>
      <FileButton
        label={texts.importAction}
        needs="eventTypes:write"
        onText={(text) => setRead(readDeclarations(text) ?? 'wrong')}
      />
      {read !== null && read !== 'wrong' && (
        <ImportDialog declarations={read} onClose={() => setRead(null)} />
      )}
    </>
  );
}

interface ImportDialogProps {
  readonly declarations: readonly DeclarationFile[];
  readonly onClose: () => void;
}

function ImportDialog({ declarations, onClose }: ImportDialogProps): ReactNode {
  const texts = useTexts(typesTexts);
  const formats = useFormats();
  const projectId = useProjectId();
  const client = useQueryClient();
  const trial = useQuery({
    queryKey: [projectId, 'POST /v1/declarations', declarations],
    gcTime: 0,
    queryFn: () => importDeclarations(declarations, { projectId, dryRun: true }),
  });
  const changed = declarations.filter((_, index) => trial.data?.[index]?.declared?.unchanged === false);
  const declare = useMutation<ImportOutcome[], Problem>({
    mutationFn: () => importDeclarations(changed, { projectId, dryRun: false }),
    onSuccess: async (outcomes) => {
      await client.invalidateQueries({ queryKey: [projectId] });
      showToast(texts.imported(formats.number(outcomes.filter(({ declared }) => declared !== null).length)));
      onClose();
    },
  });
  return (
    <Dialog title={texts.importTitle} onClose={onClose} width={640}>
      <p className="text-soft">{texts.importText}</p>
      <PageState query={trial}>
        {(outcomes) => (
          <ul className="flex max-h-[50vh] flex-col gap-3 overflow-auto" tabIndex={-1}>
            {outcomes.map((outcome, index) => (
              <Outcome key={declarations[index]?.name} outcome={outcome} />
            ))}
          </ul>
        )}
      </PageState>
      <DialogEnd
        action={texts.importDeclare(formats.number(changed.length))}
        isDisabled={changed.length === 0}
        act={declare}
        onClose={onClose}
        onPress={() => declare.mutate()}
      />
    </Dialog>
  );
}

/** What declaring one would change, or why it is refused. */
function Outcome({ outcome }: { readonly outcome: ImportOutcome }): ReactNode {
  const texts = useTexts(typesTexts);
  const { declared, refused } = outcome;
  const changes = declared?.changes ?? refused?.changes ?? [];
  const isBreaking = breaks(changes);
  return (
    <li className="flex flex-col gap-1">
      <span className="flex flex-wrap items-center gap-2">
        <span className="foreign font-mono text-sm">{declared?.name ?? refused?.name}</span>
        {declared === null && <Badge tone="bad">{texts.importRefused}</Badge>}
        {declared?.unchanged === true && <Badge>{texts.unchanged}</Badge>}
        {declared?.unchanged === false && (
          <Badge tone={isBreaking ? 'bad' : 'accent'}>{texts.version(String(declared.version))}</Badge>
        )}
        {isBreaking && <span className="text-bad">{texts.breaking}</span>}
      </span>
      <ChangeList changes={changes} />
      {refused?.errors.map(({ location, message }) => (
        <span key={`${location} ${message}`} className="text-bad">
          <FaultText location={location} message={message} />
        </span>
      ))}
    </li>
  );
}

type DeclarationFile = BodyOf<'POST /v1/declarations'>['declarations'][number];
type ImportOutcome = RowOf<'POST /v1/declarations'>;

const mostPerPage = 200;
const mostPerCall = 100;

/** The newest declaration of every type, as the page and `POST /v1/declarations` take it. */
async function exportDeclarations(projectId: string): Promise<void> {
  const declarations = await everyPage<DeclarationFile>((cursor) =>
    call('GET /v1/declarations', { query: { limit: mostPerPage, cursor }, projectId }),
  );
  const text = `${JSON.stringify({ declarations }, null, 2)}\n`;
  download('declarations.json', text);
}

/** Null if the text has no declarations, or a number that a browser would round. One declaration is a file too. */
function readDeclarations(text: string): readonly DeclarationFile[] | null {
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
async function importDeclarations(
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
