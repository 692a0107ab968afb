import { readFileSync } from 'node:fs';

export interface CurlCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The commands of a page that call something with curl, with variables of the shell filled in. */
export function readCurlCalls(path: string, variables: Readonly<Record<string, string>>): CurlCall[] {
  const page = readFileSync(path, 'utf8');
  const blocks = Array.from(page.matchAll(/```sh\n([\s\S]*?)```/g), ([, block = '']) => block);
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  return lines.filter((line) => line.startsWith('curl ')).map((line) => readCall(line, variables));
}

function readCall(line: string, variables: Readonly<Record<string, string>>): CurlCall {
  const filled = line.replaceAll(/\$([A-Z]+)/g, (name, variable: string) => variables[variable] ?? name);
  const words = Array.from(filled.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g), ([, a, b, c]) => a ?? b ?? c ?? '');
  const after = (option: string) =>
    words.flatMap((word, at) => (word === option ? [words[at + 1] ?? ''] : []));
  const taken = new Set(['curl', '-X', '-H', '-d', ...after('-X'), ...after('-H'), ...after('-d')]);
  const [body] = after('-d');
  return {
    method: after('-X')[0] ?? 'GET',
    url: words.find((word) => !taken.has(word)) ?? '',
    headers: Object.fromEntries(after('-H').map((header) => header.split(': ') as [string, string])),
    body,
  };
}
