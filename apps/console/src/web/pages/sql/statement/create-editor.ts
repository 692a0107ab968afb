import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { keywordCompletionSource, SQLDialect, sql } from '@codemirror/lang-sql';
import { bracketMatching } from '@codemirror/language';
import { EditorState, type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { completeFrom, type QuerySchema } from './completion.ts';
import { editorLook } from './editor-look.ts';
import type { Place } from './locate-fault.ts';

interface EditorOptions {
  readonly parent: HTMLElement;
  readonly label: string;
  readonly schema: () => QuerySchema | undefined;
  readonly onChange: (sql: string) => void;
  readonly onRun: () => void;
}

/** The words of a SELECT in ClickHouse: nothing else runs here. */
const clickhouseSql = SQLDialect.define({
  keywords:
    'select distinct from where and or not in between like ilike is null as on using join inner left right full outer cross array any all anti semi asof global group by having order asc desc nulls first last limit offset with ties totals rollup cube union except intersect case when then else end over partition window rows range unbounded preceding following current row qualify fill step interpolate interval second minute hour day week month quarter year exists final sample true false recursive',
  types:
    'string fixedstring uuid date date32 datetime datetime64 bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 decimal nullable array map tuple json',
  backslashEscapes: true,
  identifierQuotes: '`"',
});

const setFault = StateEffect.define<Place | null>();

/** The marked place moves with the text, and goes when it is changed. */
const faultField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setFault)) continue;
      if (effect.value === null) return Decoration.none;
      const { from, to } = effect.value;
      return Decoration.set(Decoration.mark({ class: 'cm-fault' }).range(from, to));
    }
    return before.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function createEditor(options: EditorOptions): EditorView {
  return new EditorView({ parent: options.parent, state: createState(options, '') });
}

/** A state of its own for each tab: undo does not cross from one statement to another. */
export function createState(options: EditorOptions, doc: string): EditorState {
  return EditorState.create({ doc, extensions: extensionsOf(options) });
}

export function markFault(view: EditorView, place: Place | null): void {
  const { length } = view.state.doc;
  const isInside = place !== null && place.from < place.to && place.to <= length;
  view.dispatch({ effects: setFault.of(isInside ? place : null) });
}

export function showPlace(view: EditorView, { from }: Place): void {
  view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
  view.focus();
}

/** Writes a name where the cursor is. */
export function insertText(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text));
  view.focus();
}

function extensionsOf({ label, schema, onChange, onRun }: EditorOptions): Extension {
  const run = () => {
    onRun();
    return true;
  };
  return [
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
    nonceOfPage(),
    lineNumbers(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    sql({ dialect: clickhouseSql }),
    autocompletion({
      override: [completeFrom(schema), keywordCompletionSource(clickhouseSql, true)],
      maxRenderedOptions: 60,
    }),
    // Tab takes a completion, and otherwise leaves the editor, so that the keyboard is not caught in it.
    keymap.of([
      { key: 'Tab', run: acceptCompletion },
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...completionKeymap,
    ]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
    EditorView.domEventHandlers({ beforeinput: typeOverSelection }),
    faultField,
    editorLook,
  ];
}

/**
 * Chromium would carry the look of the replaced text over as an inline style, which the content policy refuses and
 * reports. So text typed over a selection is put there by us.
 */
function typeOverSelection(event: InputEvent, view: EditorView): boolean {
  const { data, inputType, isComposing } = event;
  const { from, to, empty } = view.state.selection.main;
  if (inputType !== 'insertText' || data === null || isComposing || empty) return false;
  const insert = () =>
    view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  const isTaken = view.state
    .facet(EditorView.inputHandler)
    .some((take) => take(view, from, to, data, insert));
  if (!isTaken) view.dispatch(insert());
  return true;
}

/** The content policy permits the styles of the editor by this. */
function nonceOfPage(): Extension {
  const meta = document.querySelector('meta[property="csp-nonce"]');
  return meta instanceof HTMLMetaElement && meta.nonce !== '' ? EditorView.cspNonce.of(meta.nonce) : [];
}
