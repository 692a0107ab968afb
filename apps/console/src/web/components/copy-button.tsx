import { type ReactNode, useEffect, useState } from 'react';
import { commonTexts } from '../texts/common-texts.ts';
import { useTexts } from '../texts/use-texts.ts';
import { IconButton } from './button.tsx';

const shownMs = 1_500;

export function CopyButton({ text }: { readonly text: string }): ReactNode {
  const texts = useTexts(commonTexts);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <IconButton
      icon={isCopied ? 'check' : 'copy'}
      label={isCopied ? texts.copied : texts.copy}
      onPress={() => {
        navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => setCopied(false),
        );
      }}
    />
  );
}
