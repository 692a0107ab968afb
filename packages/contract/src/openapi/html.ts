/** Text that is markup already. */
export interface Html {
  readonly html: string;
}

/** Markup with values in it: strings are escaped, markup is not. */
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

/** Prose, in which what stands between backticks is code. */
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
