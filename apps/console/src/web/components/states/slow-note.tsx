import { type ReactNode, useEffect, useState } from 'react';
import { commonTexts } from '../../texts/common-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';

/** After this time the user wants to know why. */
export const longMs = 7_000;

/** Says why an answer takes long, once it does. */
export function SlowNote({ isLoading }: { readonly isLoading: boolean }): ReactNode {
  const texts = useTexts(commonTexts);
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setLong(true), longMs);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isLoading]);
  return isLong ? (
    <p role="status" className="py-1 text-soft">
      {texts.takesLong}
    </p>
  ) : null;
}
