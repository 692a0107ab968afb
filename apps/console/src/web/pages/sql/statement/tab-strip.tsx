import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { sqlTexts } from '../sql-texts.ts';
import type { SqlTab } from '../workspace.ts';

interface TabStripProps {
  readonly tabs: readonly SqlTab[];
  readonly openId: string;
  readonly onOpen: (id: string) => void;
  readonly onNew: () => void;
  readonly onClose: (tab: SqlTab) => void;
}

/** The statements that are open. */
export function TabStrip({ tabs, openId, onOpen, onNew, onClose }: TabStripProps): ReactNode {
  const texts = useTexts(sqlTexts);
  return (
    <nav aria-label={texts.tabs} className="flex min-w-0 items-stretch border-b bg-ground">
      <ul className="flex min-w-0 items-stretch overflow-x-auto">
        {tabs.map((tab) => {
          const name = tabName(tab, texts);
          const isOpen = tab.id === openId;
          return (
            <li
              key={tab.id}
              className={`flex h-9 shrink-0 items-center border-r ${isOpen ? 'bg-panel shadow-[inset_0_2px_0_var(--accent)]' : ''}`}
            >
              <button
                type="button"
                aria-current={isOpen ? 'true' : undefined}
                className={`foreign h-full max-w-48 truncate pl-3 pr-1 -outline-offset-2 ${isOpen ? 'font-medium' : 'text-soft hover:text-ink'}`}
                onClick={() => onOpen(tab.id)}
              >
                {name}
              </button>
              <Button
                look="quiet"
                icon="x"
                aria-label={texts.closeTab(name)}
                className="mr-1 h-6 w-6 text-soft"
                onPress={() => onClose(tab)}
              />
            </li>
          );
        })}
      </ul>
      <Button look="quiet" icon="plus" aria-label={texts.newTab} className="m-1 shrink-0" onPress={onNew} />
    </nav>
  );
}

export function tabName({ name, number }: SqlTab, texts: { tab(number: string): string }): string {
  return name === '' ? texts.tab(String(number)) : name;
}
