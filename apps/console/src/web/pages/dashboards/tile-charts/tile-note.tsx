import type { ReactNode } from 'react';

/** Says in the middle of a tile why it shows nothing. */
export function TileNote({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="flex h-full items-center justify-center p-2 text-center text-soft">
      <p>{text}</p>
    </div>
  );
}
