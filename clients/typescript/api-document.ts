import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* API.md, from the declarations that the compiler writes. */

const folder = import.meta.dirname;
export const apiPath = join(folder, 'API.md');

interface Section {
  readonly title: string;
  readonly file: string;
  /** Names of declarations, in the order of the page. */
  readonly names: readonly string[];
}

const sections: readonly Section[] = [
  { title: '@tickrate/sdk', file: 'node/node', names: ['Tickrate'] },
  { title: 'Signing players in', file: 'sign-in/tickrate', names: ['Tickrate', 'SignIn'] },
  { title: 'Everything that @tickrate/sdk/core has, too', file: 'core/client', names: ['Client'] },
  {
    title: 'Options and events',
    file: 'core/options',
    names: ['Options', 'TickrateEvent', 'Loss', 'LossReason'],
  },
  { title: 'Consent', file: 'core/saved-state', names: ['Consent'] },
  {
    title: 'Steps of a sign-in',
    file: 'sign-in/reducer',
    names: ['SignInInput', 'Prompt', 'SignInError'],
  },
  {
    title: '@tickrate/sdk/server',
    file: 'server/server',
    names: ['TickrateServer', 'ServerOptions', 'EventRefused'],
  },
];

const introduction = `# API of @tickrate/sdk

Generated from the types by \`npm run docs\`. The [README](README.md) explains the package with examples.
`;

/** The page as it should be. */
export function describeApi(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'tickrate-api-'));
  try {
    writeDeclarations(scratch);
    return [introduction, ...sections.map((section) => describeSection(section, scratch))].join('\n');
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** The declarations of the package, of which an editor also shows the documentation. */
export function writeDeclarations(outDir: string): void {
  const tsc = join(folder, '../../node_modules/.bin/tsc');
  const flags = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', 'src'];
  const args = ['-p', 'tsconfig.types.json', ...flags, '--outDir', outDir];
  execFileSync(tsc, args, { cwd: folder, stdio: 'inherit' });
}

function describeSection({ title, file, names }: Section, declarations: string): string {
  const text = readFileSync(join(declarations, `${file}.d.ts`), 'utf8');
  return [`## ${title}\n`, ...names.map((name) => describeDeclaration(name, text))].join('\n');
}

/** A documented thing, as the compiler writes it: a comment, if any, and what it is about. */
interface Documented {
  readonly comment: string;
  readonly code: string;
}

function describeDeclaration(name: string, text: string): string {
  const found = documentedIn(text).find(({ code }) =>
    new RegExp(`^export (declare class|interface|type) ${name}\\b`).test(code),
  );
  if (found === undefined) throw new Error(`${name} is not declared any more: update api-document.ts`);
  const heading = `### ${name}\n\n${found.comment && `${found.comment}\n\n`}`;
  if (found.code.startsWith('export type'))
    return `${heading}\`\`\`ts\n${found.code.replace('export ', '')}\n\`\`\`\n`;
  const members = documentedIn(indentedLess(found.code)).filter(({ code }) => !isInternal(code));
  const lines = members.map(({ comment, code }) => `- \`${signatureOf(code)}\`${comment && `: ${comment}`}`);
  return `${heading}${lines.join('\n')}\n`;
}

function signatureOf(code: string): string {
  return code
    .replace(/\s+/g, ' ')
    .replace(/^readonly /, '')
    .replace(/;$/, '');
}

/** Members of a class that games do not use. */
function isInternal(code: string): boolean {
  return /^(#private|protected |constructor\(core|static start|readonly tuning)/.test(code);
}

/** What is between the first and the last line. */
function indentedLess(code: string): string {
  return code.split('\n').slice(1, -1).join('\n').replace(/^ {4}/gm, '');
}

/** The declarations of a text, each with the comment before it. One ends with the line that closes its brackets. */
function documentedIn(text: string): Documented[] {
  const found: Documented[] = [];
  let comment: string[] = [];
  let code: string[] = [];
  for (const line of text.split('\n').filter(Boolean)) {
    if (code.length === 0 && /^(\/\*\*| \*)/.test(line)) {
      if (line.startsWith('/**')) comment = [];
      comment.push(line.replace(/^\/\*\*|^ \*\/?|\*\/$/g, '').trim());
      continue;
    }
    code.push(line);
    if (depthOf(code.join('\n')) > 0) continue;
    found.push({ comment: comment.join(' ').trim(), code: code.join('\n') });
    [comment, code] = [[], []];
  }
  return found;
}

function depthOf(code: string): number {
  return (code.match(/[{([]/g) ?? []).length - (code.match(/[})\]]/g) ?? []).length;
}
