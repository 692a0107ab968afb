import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components';
import { call, type InputOf, type RowOf } from '../../api/call.ts';
import { useList, useProjectId, useSettled } from '../../api/use-call.ts';
import { type Permission, useMay } from '../../components/states/permissions.tsx';
import { Icon, type IconName } from '../../look/icon.tsx';
import { openingSearch } from '../../pages/dashboards/use-dashboards.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { layoutTexts } from '../layout-texts.ts';

interface CommandPaletteProps {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}

/** Finds a command, or a name of the project, by any part of its words. */
export function CommandPalette({ commands, onClose }: CommandPaletteProps): ReactNode {
  const texts = useTexts(layoutTexts);
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      className="fixed inset-0 z-50 flex items-start justify-center bg-[rgb(8_19_32/0.45)] p-4 pt-[12vh]"
    >
      <Modal className="overlay w-full max-w-[560px]">
        <AriaDialog aria-label={texts.palette} className="outline-none">
          <PaletteList commands={commands} onClose={onClose} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function PaletteList({ commands, onClose }: CommandPaletteProps): ReactNode {
  const texts = useTexts(layoutTexts);
  const [text, setText] = useState('');
  const [position, setPosition] = useState(0);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = (name: string) => words.every((word) => name.toLowerCase().includes(word));
  const named = useFound(text, isMatch);
  const found = [...commands.filter(({ label }) => isMatch(label)), ...named];
  const chosen = found[Math.min(position, found.length - 1)];
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKey = (key: string): boolean => {
    if (key === 'Enter') run(chosen);
    else if (key === 'ArrowDown') setPosition(Math.min(position + 1, found.length - 1));
    else if (key === 'ArrowUp') setPosition(Math.max(position - 1, 0));
    else return false;
    return true;
  };
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the palette is opened in order to type
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={chosen && `palette-${chosen.id}`}
        aria-label={texts.palette}
        placeholder={texts.palette}
        className="h-11 w-full border-b bg-transparent px-4 text-lg outline-none"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setPosition(0);
        }}
        onKeyDown={(event) => {
          if (onKey(event.key)) event.preventDefault();
        }}
      />
      <div
        id="palette-list"
        role="listbox"
        aria-label={texts.palette}
        className="max-h-[min(60vh,464px)] overflow-auto p-1"
      >
        {found.map((command) => (
          <div
            key={command.id}
            id={`palette-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            className="flex h-8 items-center gap-2 rounded-sm px-3 aria-selected:bg-raised"
            onClick={() => run(command)}
          >
            <Icon name={command.icon} className="text-soft" />
            <span className="foreign flex-1 truncate">{command.label}</span>
            {command.kind !== undefined && <span className="shrink-0 text-sm text-soft">{command.kind}</span>}
            {command.keys !== undefined && <kbd className="font-mono text-xs text-soft">{command.keys}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="px-4 pb-3 text-soft">{texts.paletteEmpty}</p>}
    </>
  );
}

const leastLetters = 2;
/** Of each kind: the palette shows what fits. */
const mostFound = 8;
const mostRead = 200;

/**
 * What of the project has these words in its name, and the player with this address or id. One call for each kind, once
 * typing pauses; another one for each text where the list is longer. Closing the palette and typing cancel them.
 */
function useFound(text: string, isMatch: (name: string) => boolean): readonly Command[] {
  const texts = useTexts(layoutTexts);
  const navigate = useNavigate();
  const projectId = useProjectId();
  const wanted = useSettled(text.trim());
  const types = useNamed('GET /v1/event-types', { scope: 'eventTypes:read', wanted });
  const dashboards = useNamed('GET /v1/dashboards', { scope: 'queries:read', wanted });
  const queries = useNamed('GET /v1/saved-queries', { scope: 'queries:read', wanted });
  const players = usePlayers(wanted);
  if (text.trim().length < leastLetters) return [];
  return [
    ...matching(types, { kind: texts.eventType, icon: 'shapes', isMatch }, ({ name }) =>
      navigate({ to: '/p/$projectId/types/$name', params: { projectId, name } }),
    ),
    ...matching(dashboards, { kind: texts.dashboard, icon: 'layers', isMatch }, ({ id, content }) =>
      navigate({
        to: '/p/$projectId/dashboards/$id',
        params: { projectId, id },
        ...openingSearch(content),
      }),
    ),
    ...matching(queries, { kind: texts.paletteQuery, icon: 'terminal', isMatch }, ({ content: { sql } }) =>
      navigate({ to: '/p/$projectId/sql', params: { projectId }, search: { sql } }),
    ),
    // Found for the text before the last letter, they would answer another question.
    ...(wanted === text.trim() ? players : []).map(({ id, displayName, emailAddress }) => ({
      id: `player-${id}`,
      label: [displayName, emailAddress, id].filter(Boolean).join(' · '),
      kind: texts.player,
      icon: 'users' as const,
      run: () =>
        void navigate({ to: '/p/$projectId/players/$accountId', params: { projectId, accountId: id } }),
    })),
  ];
}

type NamedList = 'GET /v1/event-types' | 'GET /v1/dashboards' | 'GET /v1/saved-queries';

interface Reading {
  readonly scope: Permission;
  readonly wanted: string;
}

/** The first names of a list, read once: the palette filters them. Of a longer list, the server finds the names. */
function useNamed<N extends NamedList>(name: N, { scope, wanted }: Reading): readonly RowOf<N>[] {
  const isAsked = useMay()(scope) && wanted.length >= leastLetters;
  const inputOf = (query: object) => ({ query }) as InputOf<N>[0];
  const first = useList(name, inputOf({ limit: mostRead }), { enabled: isAsked });
  const isLonger = first.more !== undefined;
  const search = inputOf({ limit: mostFound, search: wanted });
  const found = useList(name, search, { enabled: isAsked && isLonger });
  return (isLonger ? found.query.data : undefined) ?? first.query.data ?? [];
}

/** By what the page of players accepts: a whole address or an account id. */
function usePlayers(wanted: string): readonly RowOf<'GET /v1/players'>[] {
  const projectId = useProjectId();
  const isPermitted = useMay()('players:read');
  const isId = /^us?-[a-z0-9]{20}$/.test(wanted);
  const isAddress = /^\S+@\S+$/.test(wanted);
  const { data } = useQuery({
    queryKey: [projectId, 'GET /v1/players', 'palette', wanted],
    enabled: isPermitted && (isId || isAddress),
    queryFn: async ({ signal }) => {
      const sent = { projectId, signal };
      if (isId)
        return [await call('GET /v1/players/{accountId}', { params: { accountId: wanted }, ...sent })];
      return (await call('GET /v1/players', { query: { emailAddress: wanted }, ...sent })).results;
    },
  });
  return data ?? [];
}

interface Kind {
  readonly kind: string;
  readonly icon: IconName;
  readonly isMatch: (name: string) => boolean;
}

function matching<R extends { readonly name: string; readonly id?: string }>(
  rows: readonly R[],
  { kind, icon, isMatch }: Kind,
  open: (row: R) => unknown,
): Command[] {
  return rows
    .filter(({ name }) => isMatch(name))
    .slice(0, mostFound)
    .map((row) => ({
      id: `${icon}-${row.id ?? row.name}`,
      label: row.name,
      kind,
      icon,
      run: () => void open(row),
    }));
}

export interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  /** The keys that do the same without the palette. */
  readonly keys?: string;
  /** What it opens, for a name that somebody chose. */
  readonly kind?: string;
  readonly run: () => void;
}
