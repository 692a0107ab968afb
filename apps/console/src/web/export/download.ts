import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { Problem } from '../api/problem.ts';

export function download(name: string, content: Blob | string, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken its own reference by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A call whose answer becomes a file. */
export function useDownload(
  name: string,
  send: () => Promise<Response>,
): UseMutationResult<Blob, Problem, void> {
  return useMutation<Blob, Problem>({
    mutationFn: async () => (await send()).blob(),
    onSuccess: (file) => download(name, file, file.type),
  });
}
