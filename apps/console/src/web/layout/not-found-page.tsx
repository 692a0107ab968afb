import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { EmptyState } from '../components/states/page-state.tsx';
import { commonTexts } from '../texts/common-texts.ts';
import { useTexts } from '../texts/use-texts.ts';

export function NotFoundPage(): ReactNode {
  const texts = useTexts(commonTexts);
  useEffect(() => {
    document.title = `${texts.notFoundTitle} · Tickrate`;
  }, [texts.notFoundTitle]);
  return (
    <EmptyState icon="compass" title={texts.notFoundTitle} text={texts.notFoundAdvice}>
      <Link to="/" className="text-accent underline">
        {texts.notFoundAction}
      </Link>
    </EmptyState>
  );
}
