const margin = 16;

/** What an element shows, as PNG, sharp on any screen. Null if the browser cannot write one. */
export function pictureOf(element: HTMLElement, ground: string): Promise<Blob | null> {
  const picture = drawElement(element, ground, Math.max(2, window.devicePixelRatio));
  return new Promise((resolve) => picture.toBlob(resolve));
}

/** What an element shows, as a picture on a ground: boxes, texts and canvases. It needs no image of another origin. */
function drawElement(element: HTMLElement, ground: string, scale: number): HTMLCanvasElement {
  const origin = element.getBoundingClientRect();
  const shown = [element, ...element.querySelectorAll<HTMLElement>('*')].filter(isShown);
  // A table wider than its frame is drawn whole.
  const right = Math.max(...shown.map((each) => each.getBoundingClientRect().right));
  const bottom = Math.max(...shown.map((each) => each.getBoundingClientRect().bottom));
  const picture = document.createElement('canvas');
  picture.width = Math.ceil((right - origin.left + 2 * margin) * scale);
  picture.height = Math.ceil((bottom - origin.top + 2 * margin) * scale);
  const context = picture.getContext('2d');
  if (context === null) return picture;
  context.scale(scale, scale);
  context.fillStyle = ground;
  context.fillRect(0, 0, picture.width, picture.height);
  context.translate(margin - origin.left, margin - origin.top);
  for (const each of shown) drawOne(context, each);
  return picture;
}

/** Texts for screen readers alone are one pixel large. */
function isShown(element: HTMLElement): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 1 && height > 1 && getComputedStyle(element).visibility === 'visible';
}

function drawOne(context: CanvasRenderingContext2D, element: HTMLElement): void {
  const style = getComputedStyle(element);
  const { left, top, width, height } = element.getBoundingClientRect();
  context.fillStyle = style.backgroundColor;
  context.beginPath();
  context.roundRect(left, top, width, height, Number.parseFloat(style.borderTopLeftRadius) || 0);
  context.fill();
  if (element instanceof HTMLCanvasElement) context.drawImage(element, left, top, width, height);
  for (const node of element.childNodes) {
    if (node instanceof Text && node.data.trim() !== '') drawText(context, node, style);
  }
}

/** Word by word, because a text may have several lines. */
function drawText(context: CanvasRenderingContext2D, node: Text, style: CSSStyleDeclaration): void {
  context.save();
  const frame = node.parentElement?.getBoundingClientRect();
  if (style.overflowX !== 'visible' && frame !== undefined) {
    context.beginPath();
    context.rect(frame.left, frame.top, frame.width, frame.height);
    context.clip();
  }
  context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.fillStyle = style.color;
  context.textBaseline = 'middle';
  const range = document.createRange();
  for (const { index, 0: word } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const { left, top, height } = range.getBoundingClientRect();
    context.fillText(word, left, top + height / 2);
  }
  context.restore();
}
