import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { IconButton } from '../../components/button.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { dashboardsTexts } from './dashboards-texts.ts';

export function RefreshButton(): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const client = useQueryClient();
  const tiles = {
    predicate: ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[1] === 'tile',
  };
  const isLoading = useIsFetching(tiles) > 0;
  return (
    <IconButton
      look="plain"
      icon="refresh-cw"
      label={texts.refreshNow}
      isDisabled={isLoading}
      onPress={() => void client.invalidateQueries(tiles)}
    />
  );
}
