import { useEffect, useState } from 'react';

const settledMs = 300;

/** The value once it has not changed for a moment, so that the server is asked when typing pauses. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settledMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
