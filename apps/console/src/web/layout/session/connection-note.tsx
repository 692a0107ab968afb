import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useSyncExternalStore } from 'react';
import { isUnreachable } from '../../api/query-client.ts';
import { Icon } from '../../look/icon.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { layoutTexts } from '../layout-texts.ts';

/** A line over the page while the server does not answer. The loaded page stays visible below it. */
export function ConnectionNote(): ReactNode {
  const texts = useTexts(layoutTexts);
  const cache = useQueryClient().getQueryCache();
  const isLost = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    // A page that was left is not loaded again, so its last error says nothing of now.
    () => cache.getAll().some((query) => query.isActive() && isUnreachable(query.state.error)),
  );
  return (
    <div role="status">
      {isLost && (
        <p className="flex items-center gap-2 border-b border-bad bg-panel px-4 py-1 text-bad">
          <Icon name="triangle-alert" />
          {texts.unreachable}
        </p>
      )}
    </div>
  );
}
