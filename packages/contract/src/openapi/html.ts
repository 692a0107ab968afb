/** Text that is already markup. */
export interface Html {
  readonly html: string;
}

/** Creates markup: it escapes strings and keeps markup. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) {
    text += (typeof value === 'string' ? escapeHtml(value) : value.html) + (parts[index + 1] ?? '');
  }
  return { html: text };
}

export function joinHtml(parts: readonly Html[]): Html {
  return { html: parts.map((part) => part.html).join('\n') };
}

/** Renders prose. Text between backticks is code. */
export function prose(text: string): Html {
  return { html: escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>') };
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
