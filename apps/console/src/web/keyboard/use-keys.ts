import { useEffect, useRef } from 'react';

/** `g o`: two keys, one after the other. `mod+k`: with Ctrl, or the command key of a Mac. */
export type KeyBindings = Readonly<Record<string, () => void>>;

const sequenceMs = 1_000;

/**
 * Binds keys of the whole page while the component is shown. Keys typed into a field do not count, except with mod. Enter on a
 * link or a button is theirs. `isMine` decides between components that bind the same keys.
 */
export function useKeys(bindings: KeyBindings, isMine: () => boolean = always): void {
  const current = useRef({ bindings, isMine });
  current.current = { bindings, isMine };
  useEffect(() => {
    let first = '';
    let firstAt = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      const name = nameOf(event);
      if (name === null || !isForPage(event, name)) return;
      const sequence = event.timeStamp - firstAt < sequenceMs ? `${first} ${name}` : name;
      const { bindings: bound, isMine: isOwn } = current.current;
      const act = bound[sequence] ?? bound[name];
      [first, firstAt] = act === undefined ? [name, event.timeStamp] : ['', 0];
      if (act === undefined || !isOwn()) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function always(): boolean {
  return true;
}

function nameOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | null {
  if (altKey || key === 'Shift' || key === 'Control' || key === 'Meta') return null;
  return ctrlKey || metaKey ? `mod+${key.toLowerCase()}` : key;
}

/** A field and a dialog have the keyboard alone. */
function isForPage({ target, defaultPrevented }: KeyboardEvent, name: string): boolean {
  if (defaultPrevented || isBehindDialog()) return false;
  return name.startsWith('mod+') || !(isTyping(target) || (name === 'Enter' && isPressed(target)));
}

/** What the browser opens or presses on Enter. */
function isPressed(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a[href], button, summary, [role=button]') !== null;
}

function isBehindDialog(): boolean {
  return document.querySelector('[role=dialog],[role=alertdialog],[role=menu],[role=listbox]') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
