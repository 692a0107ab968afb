import { useEffect, useState } from 'react';

/** Shows the page without what surrounds it, on the whole screen where the browser permits that. */
export function useFullScreen() {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    if (!isFull) return;
    const root = document.documentElement;
    root.dataset['full'] = '';
    root.requestFullscreen().catch(() => undefined);
    const onChange = () => document.fullscreenElement === null && setFull(false);
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && setFull(false);
    document.addEventListener('fullscreenchange', onChange);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('fullscreenchange', onChange);
      document.removeEventListener('keydown', onKey);
      delete root.dataset['full'];
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    };
  }, [isFull]);
  return { isFull, enter: () => setFull(true), leave: () => setFull(false) };
}
