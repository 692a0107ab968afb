import type { ReactNode } from 'react';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { useTexts } from '../texts/use-texts.ts';
import { layoutTexts } from './layout-texts.ts';
import { pageList } from './page-list.ts';

interface KeyHelpProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function KeyHelp({ isOpen, onClose }: KeyHelpProps): ReactNode {
  const texts = useTexts(layoutTexts);
  const keys = [
    ['Ctrl K', texts.helpPalette],
    ['/', texts.helpSearch],
    ['j k Enter', texts.helpList],
    ['Ctrl Enter', texts.helpRun],
    ['?', texts.helpThis],
    ...pageList.map(({ id, key }) => [`g ${key}`, texts[id]] as const),
  ] as const;
  return (
    <Dialog title={texts.help} isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {keys.map(([key, meaning]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-sm border bg-raised px-1.5 font-mono text-sm">{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
