const fence = /<pre tabindex="0">[\s\S]*?<\/pre>/g;

/** The faults of the HTML page of an OpenAPI document. */
export function lintPage(page: string): string[] {
  const prose = page.replace(fence, '');
  const faults = [
    [/<script|<link|src=|url\(|@import/.test(page), 'loads something'],
    [!page.includes('<h1>'), 'has no title'],
    [prose.includes('<tbody></tbody>'), 'has an empty table'],
    [prose.replace(/<style>[\s\S]*?<\/style>/, '').includes('`'), 'shows a backtick'],
    [/class="soft">([^<]{10,})<\/span> \1/.test(prose), 'repeats a sentence'],
  ] as const;
  return faults.flatMap(([isFault, fault]) => (isFault ? [fault] : []));
}
