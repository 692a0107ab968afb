import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Invariant {
  readonly subject: string;
  readonly text: string;
  readonly files: readonly string[];
}

const subjects = [
  'Delivery',
  'Events and quarantine',
  'Limits and overload',
  'HTTP',
  'Sign-in',
  'Management',
  'Queries',
  'Privacy',
  'Tools',
];

const head = `# Invariants

\`npm run docs\` generates this page from the tests. A comment \`// Invariant (Delivery): …\` above a test adds a row; the same
sentence above several tests is one row. [ARCHITECTURE.md](../ARCHITECTURE.md#invariants) has the ten most important ones.
`;

/** The invariants that comments in the tests state, by file. A comment ends at the first line that is none. */
export function readInvariants(root: string): Invariant[] {
  const exclude = (path: string) => path.includes('node_modules');
  const sources = globSync('{apps,packages,clients,tests,tools}/**/*.{ts,tsx}', { cwd: root, exclude });
  const files = new Map<string, string[]>();
  for (const path of sources.toSorted()) {
    for (const stated of invariantsIn(readFileSync(join(root, path), 'utf8'))) {
      files.set(stated, [...(files.get(stated) ?? []), path]);
    }
  }
  return [...files].map(([stated, paths]) => {
    const [subject = '', text = ''] = stated.split(/: (.*)/s);
    return { subject, text, files: paths };
  });
}

/** Each as `Subject: text`. */
function invariantsIn(source: string): string[] {
  const marked = source.matchAll(/^\/\/ Invariant \(([^)]+)\): (.*(?:\n\/\/ (?!Invariant \().*)*)/gm);
  return Array.from(marked, ([, subject, text = '']) => `${subject}: ${text.replaceAll('\n// ', ' ')}`);
}

/** The page of all invariants. Throws for a subject that the page does not have. */
export function invariantsPage(root: string): string {
  const invariants = readInvariants(root);
  const unknown = invariants.find(({ subject }) => !subjects.includes(subject));
  if (unknown) throw new Error(`Unknown subject "${unknown.subject}" of an invariant in ${unknown.files[0]}`);
  const sections = subjects.map((subject) => {
    const rows = invariants
      .filter((each) => each.subject === subject)
      .map(({ text, files }) => `| ${text} | ${files.map((file) => `\`${file}\``).join(', ')} |`);
    return [`\n## ${subject}\n`, '| invariant | tests |', '|---|---|', ...rows, ''].join('\n');
  });
  return head + sections.join('');
}
