/** The result of Redocly's linter at its strictest: one line for each problem, with its place. */
export async function lintOpenApi(document: object): Promise<string[]> {
  // Imported on use: it is large, and most tests do not need it.
  const { createConfig, lintFromString } = await import('@redocly/openapi-core');
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'no-invalid-media-type-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'no-invalid-schema-examples': 'error',
      'operation-description': 'error',
      'tag-description': 'error',
      'no-path-trailing-slash': 'error',
      'paths-kebab-case': 'off',
    },
  });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`);
}

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
