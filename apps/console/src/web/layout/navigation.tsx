import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProjectId } from '../api/use-project-id.ts';
import { useMay } from '../components/states/permissions.tsx';
import { Icon } from '../look/icon.tsx';
import { useTexts } from '../texts/use-texts.ts';
import { layoutTexts } from './layout-texts.ts';
import { visiblePages } from './page-list.ts';

interface NavigationProps {
  /** Called when a page was chosen: on a phone the navigation then closes. */
  readonly onChoose: () => void;
}

export function Navigation({ onChoose }: NavigationProps): ReactNode {
  const texts = useTexts(layoutTexts);
  const projectId = useProjectId();
  return (
    <nav aria-label={texts.navigation} className="flex flex-col gap-0.5 p-2">
      {visiblePages(useMay()).map(({ id, path, icon, key }) => (
        <Link
          key={id}
          to={path}
          params={{ projectId }}
          preload="intent"
          onClick={onChoose}
          className="group flex h-7 items-center gap-2 rounded-md px-2 text-soft hover:bg-raised hover:text-ink data-[status=active]:bg-raised data-[status=active]:font-medium data-[status=active]:text-ink"
        >
          <Icon name={icon} />
          <span className="min-w-0 flex-1 truncate">{texts[id]}</span>
          <span aria-hidden="true" className="font-mono text-xs text-soft opacity-0 group-hover:opacity-100">
            g {key}
          </span>
        </Link>
      ))}
    </nav>
  );
}
