import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import type { Permission } from './states/permissions.tsx';

interface FileButtonProps {
  readonly label: string;
  readonly needs: Permission;
  readonly onText: (text: string) => void;
}

export function FileButton({ label, needs, onText }: FileButtonProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        accept="application/json,.json"
        aria-label={label}
        className="hidden"
        onChange={({ target }) => {
          void target.files?.[0]?.text().then(onText);
          target.value = '';
        }}
      />
      <Button icon="upload" needs={needs} onPress={() => field.current?.click()}>
        {label}
      </Button>
    </>
  );
}
