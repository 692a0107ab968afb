import { drawElement } from './draw-element.ts';

/** Saves a file as the browser does with a download. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken its own reference by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** What an element shows, as PNG, sharp on any screen. Null if the browser cannot write one. */
export function pictureOf(element: HTMLElement, ground: string): Promise<Blob | null> {
  const picture = drawElement(element, ground, Math.max(2, window.devicePixelRatio));
  return new Promise((resolve) => picture.toBlob(resolve));
}
