import { type ReactNode, useState } from 'react';
import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components';
import { Icon } from '../../look/icon.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { layoutTexts } from '../layout-texts.ts';
import { type Command, useFound } from './use-found.ts';

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
