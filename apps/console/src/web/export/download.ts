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

/** The chart that is drawn in an element, on the ground of the page; null if there is none. */
export function pictureOf(element: HTMLElement, ground: string): Promise<Blob | null> {
  const drawn = element.querySelector('canvas');
  if (drawn === null) return Promise.resolve(null);
  const copy = document.createElement('canvas');
  copy.width = drawn.width;
  copy.height = drawn.height;
  const context = copy.getContext('2d');
  if (context === null) return Promise.resolve(null);
  context.fillStyle = ground;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(drawn, 0, 0);
  return new Promise((resolve) => copy.toBlob(resolve));
}
