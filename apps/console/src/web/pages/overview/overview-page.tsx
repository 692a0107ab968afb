import type { ReactNode } from 'react';
import { Page } from '../../layout/page.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { overviewTexts } from './overview-texts.ts';

export function OverviewPage(): ReactNode {
  const texts = useTexts(overviewTexts);
  return <Page title={texts.title}>{null}</Page>;
}
