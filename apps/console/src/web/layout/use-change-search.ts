import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Changes parameters of the address. The others stay, and so does the page. */
export function useChangeSearch(): (changed: object) => void {
  const navigate = useNavigate();
  return useCallback(
    (changed) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...changed }), hash: true }),
    [navigate],
  );
}
