import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTexts } from '../../../texts/use-texts.ts';
import { sqlTexts } from '../sql-texts.ts';
import type { QuerySchema } from './completion.ts';
import { createEditor, createState, markFault } from './create-editor.ts';
import type { Place } from './locate-fault.ts';

export interface MarkedFault {
  readonly sql: string;
  readonly place: Place;
}

interface EditorProps {
  readonly tabId: string;
  readonly sql: string;
  readonly schema: QuerySchema | undefined;
  /** Marked while the text is the one that was refused. */
  readonly fault: MarkedFault | null;
  readonly onChange: (sql: string) => void;
  readonly onRun: () => void;
  /** The editor, for those who write into it. */
  readonly viewOf: RefObject<EditorView | null>;
}

/** The statement of the open tab. Each tab keeps its own undo and its cursor. */
export function Editor(props: EditorProps): ReactNode {
  const { tabId, sql, fault, viewOf } = props;
  const { editor: label } = useTexts(sqlTexts);
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const states = useRef(new Map<string, EditorState>());
  const shownTab = useRef('');
  useEffect(() => {
    if (place.current === null) return;
    const view = createEditor({ ...optionsOf(latest, label), parent: place.current });
    viewOf.current = view;
    shownTab.current = '';
    return () => {
      viewOf.current = null;
      view.destroy();
    };
  }, [label, viewOf]);
  useEffect(() => {
    const view = viewOf.current;
    if (view === null || place.current === null) return;
    if (shownTab.current !== tabId) {
      if (shownTab.current !== '') states.current.set(shownTab.current, view.state);
      shownTab.current = tabId;
      const kept = states.current.get(tabId);
      const options = { ...optionsOf(latest, label), parent: place.current };
      view.setState(kept?.doc.toString() === sql ? kept : createState(options, sql));
    } else if (view.state.doc.toString() !== sql) {
      // Another window changed it.
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: sql } });
    }
  }, [tabId, sql, label, viewOf]);
  useEffect(() => {
    const view = viewOf.current;
    if (view === null) return;
    const isSame = fault !== null && fault.sql === view.state.doc.toString();
    markFault(view, isSame ? fault.place : null);
  }, [fault, viewOf]);
  return <div ref={place} className="h-full min-h-0" />;
}

function optionsOf(latest: RefObject<EditorProps>, label: string) {
  return {
    label,
    schema: () => latest.current.schema,
    onChange: (sql: string) => {
      if (sql !== latest.current.sql) latest.current.onChange(sql);
    },
    onRun: () => latest.current.onRun(),
  };
}
