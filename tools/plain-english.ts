import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A phrase that makes documents hard to read, and what to write instead. */
interface HardPattern {
  readonly pattern: RegExp;
  readonly write: string;
}

/** Chosen for few false positives: a phrase that ordinary technical English uses too is not in the list. */
const hardPatterns: readonly HardPattern[] = [
  { pattern: /\b(?:is|are|was|were|be|been|being) told\b/i, write: 'receives, shows, reports' },
  {
    pattern:
      /\btells? (?:who|whom|what|how|that|where|which|whether|when|why|apart|of|the|it|all|no|nothing)\b/i,
    write: 'reports, shows, describes',
  },
  { pattern: /\b(?:is|are|was|were)(?: not)? to be (?:had|told|said)\b/i, write: 'is available, exists' },
  { pattern: /\bcan(?:not| not)? be had\b/i, write: 'is available' },
  { pattern: /\bthere (?:is|are) not\b(?! (?:a|an|any|enough|yet)\b)/i, write: 'does not exist, unknown' },
  { pattern: /\bcomes? of\b/i, write: 'results from' },
  { pattern: /\bin place of\b/i, write: 'instead of' },
  { pattern: /\b(?:goes|go|went) on\b/i, write: 'continues' },
  { pattern: /\b(?:stands?|stood) (?:in|beside|for itself|against it)\b/i, write: 'is in, is next to' },
  { pattern: /\b(?:takes?|took) in\b(?! (?:account|parallel|total)\b)/i, write: 'accepts, reads' },
  { pattern: /\bminds\b/i, write: 'notices, handles' },
  { pattern: /\bthe same as (?:\w+ ){1,3}(?:has|have)\b/i, write: 'the same as on …' },
  { pattern: /\bmade anew\b/i, write: 'created again' },
  { pattern: /\bwant(?:s|ed)? of\b/i, write: 'requires' },
  { pattern: /\b(?:is|are) good (?:once|for)\b/i, write: 'is valid' },
  {
    pattern:
      /(?:^|[.;:]\s+)(?:Who|Whoever) (?:signs?|calls?|asks?|sends?|holds?|reads?|has|owns|makes?)\b(?![^.]*\?)/m,
    write: 'a noun: "A caller who …"',
  },
  {
    pattern: /\b(?:to|by|for|of|from|with) who (?:\w+s|may|can|have)\b/i,
    write: 'a noun: "to callers who …"',
  },
  {
    pattern:
      /(?:^|[.:]\s+)What (?:is|was|are|were|has|had|can|comes|goes|stands) [^.?:|\n]{1,60}? (?:is|are|stays?|has|goes|gets) (?![^.|\n]*\?)/m,
    write: 'a noun: "Stored events …"',
  },
];

interface HardPhrase {
  readonly line: number;
  readonly phrase: string;
  readonly write: string;
}

/** The phrases of a text that its author should rewrite. Code and emphasised words, which quote, do not count. */
export function findHardPhrases(text: string): HardPhrase[] {
  const prose = withoutQuotations(text);
  return hardPatterns
    .flatMap(({ pattern, write }) =>
      Array.from(prose.matchAll(overLines(pattern)), (match) => ({
        line: prose.slice(0, match.index).split('\n').length,
        phrase: match[0].trim().replaceAll(/\s+/g, ' '),
        write,
      })),
    )
    .toSorted((a, b) => a.line - b.line);
}

/** The pattern for all places, with each space matching a line break too. */
function overLines(pattern: RegExp): RegExp {
  return new RegExp(pattern.source.replaceAll(' ', '\\s+'), `${pattern.flags}g`);
}

/** Blanks code and emphasised words with spaces, and keeps the lines where they are. */
function withoutQuotations(text: string): string {
  const blank = (quoted: string) => quoted.replaceAll(/[^\n]/g, ' ');
  return text
    .replaceAll(/^```[\s\S]*?^```/gm, blank)
    .replaceAll(/`[^`\n]+`/g, blank)
    .replaceAll(/(?<!\*)\*(?![*\s])[^*]+\*(?!\*)/g, blank);
}

/** Phrases that an assertion in a test name does not need. They are common in ordinary prose, so only names are checked. */
const hardNamePatterns: readonly HardPattern[] = [
  { pattern: /^lets?\b/i, write: 'accepts, allows' },
  { pattern: /\b(?:tells?|told)\b/i, write: 'reports, receives, is reported' },
  { pattern: /\b(?:holds?|held) up\b/i, write: 'delays, blocks' },
  { pattern: /\b(?:nobody|somebody|whoever)\b/i, write: 'the caller, project or key that you mean' },
];

/** The literals of a source that people read: the names of its tests, and the messages that it logs. */
const namePattern =
  /(?:\b(?:test|it|describe)(?:\.\w+)*\(|[\])\w]\)\()\s*(?:'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g;
const logPattern =
  /\blog(?:ger)?\.(?:trace|debug|info|warn|error|fatal)\(\s*(?:(?:\{[^{}]*\}|\w+),\s*)?'((?:[^'\\\n]|\\.)*)'/g;

/** The test names and log messages of a source. */
export function findHardNames(source: string): HardPhrase[] {
  return [...source.matchAll(namePattern), ...source.matchAll(logPattern)]
    .flatMap((match) => {
      const text = match[1] ?? match[2] ?? '';
      const line = source.slice(0, match.index + match[0].indexOf(text)).split('\n').length;
      const asProse = findHardPhrases(text).map((found) => ({ ...found, line }));
      if (asProse.length > 0) return asProse;
      const found = hardNamePatterns.find(({ pattern }) => pattern.test(text));
      if (found === undefined) return [];
      return [{ line, phrase: found.pattern.exec(text)?.[0] ?? '', write: found.write }];
    })
    .toSorted((a, b) => a.line - b.line);
}

/** Words that say less than an ordinary one, and what to write instead in a name. */
const hardWords: readonly HardPattern[] = [
  { pattern: /^(?:tells?|told|telling)$/, write: 'report, record, log, notify' },
  { pattern: /^(?:heed|obey)(?:s|ed|ing)?$/, write: 'follow, handle, apply' },
  { pattern: /^hurr(?:y|ies|ied)$/, write: 'soon, flushSoon' },
  { pattern: /^(?:standing|whom)$/, write: 'status, current, account' },
  { pattern: /^(?:patience|patient)$/, write: 'timeout, delay, backoff' },
];

/** The identifiers of a source that contain one of the words, each where it is first. */
export function findHardIdentifiers(source: string): HardPhrase[] {
  const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');
  const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/;
  const string = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/;
  const expression = /(?<=[(,=:[]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/;
  const notCode = [comment, string, expression].map(({ source }) => source).join('|');
  const code = source.replaceAll(new RegExp(notCode, 'gm'), blank);
  const first = new Map<string, number>();
  for (const { 0: name, index } of code.matchAll(/[A-Za-z_$][\w$]*/g))
    if (!first.has(name)) first.set(name, index);
  return [...first].flatMap(([phrase, index]) => {
    const words = phrase.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
    const found = hardWords.find(({ pattern }) => words.some((word) => pattern.test(word.toLowerCase())));
    if (found === undefined) return [];
    return [{ line: code.slice(0, index).split('\n').length, phrase, write: found.write }];
  });
}

/** Blanks everything but the comments of a source file, and keeps the lines where they are. */
function commentsOf(source: string): string {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, ' ');
  return source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*|[^\n]/gm, (part) =>
    part.length > 1 ? part.replaceAll(/\/\*\*?|\*\/|^[ \t]*\*|\/\/+/gm, blank) : ' ',
  );
}

const documents = ['*.md', 'docs/**/*.md', '{apps,packages,bench,clients,deploy,examples}/**/*.md'];
const sources = [
  '{apps,packages,clients}/*/src/**/*.{ts,tsx}',
  '{bench,deploy,tests,tools,examples}/**/*.ts',
];

export function checkedDocuments(root: string): string[] {
  return filesOf(root, documents);
}

/** The sources whose comments, test names, log messages and identifiers are checked. */
export function checkedSources(root: string): string[] {
  return filesOf(root, sources);
}

function filesOf(root: string, globs: readonly string[]): string[] {
  const exclude = (path: string) => path.includes('node_modules');
  return globSync(globs, { cwd: root, exclude }).toSorted();
}

/** The hard phrases of a document, or of the comments, test names, log messages and identifiers of a source. */
export function hardPhrasesIn(root: string, path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  const found = path.endsWith('.md')
    ? findHardPhrases(text)
    : [...findHardPhrases(commentsOf(text)), ...findHardNames(text), ...findHardIdentifiers(text)];
  return found.map(({ line, phrase, write }) => `${path}:${line}: write ${write}, not "${phrase}"`);
}
