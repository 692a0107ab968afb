import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  fillMailTemplate,
  type MailFields,
  type MailKind,
  type MailTemplate,
  mailKinds,
  parseMailTemplate,
} from './mail-template.ts';

/** The text of a mail in the language nearest to the locale: `de-AT`, then `de`, then `en`. */
export type WriteMail = <K extends MailKind>(
  kind: K,
  locale: string | null,
  fields: MailFields<K>,
) => MailTemplate;

/** By `<locale>/<kind>`. */
type MailTemplates = ReadonlyMap<string, MailTemplate>;

const ownFolder = join(import.meta.dirname, '..', '..', 'mails');
const mostBytes = 16 * 1024;

/**
 * Our templates. A folder of the same shape, `<locale>/<kind>.txt`, can replace some or all of them. Faults of all files:
 * the path within the folder, and the fault.
 */
export function readMailTemplates(folder: string | null): {
  readonly templates: MailTemplates;
  readonly faults: readonly string[];
} {
  const faults: string[] = [];
  const own = readFolder(ownFolder, faults);
  const given = folder === null ? [] : readFolder(folder, faults);
  return { templates: new Map([...own, ...given]), faults };
}

export function createWriteMail(templates: MailTemplates): WriteMail {
  return (kind, locale, fields) => {
    const template = localesOf(locale)
      .map((each) => templates.get(`${each}/${kind}`))
      .find((each) => each !== undefined);
    if (template === undefined) throw new Error(`There is no mail ${kind}`);
    return fillMailTemplate(template, fields);
  };
}

function localesOf(locale: string | null): string[] {
  const parts = (locale ?? '').toLowerCase().split(/[-_]/);
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join('-')), 'en'];
}

function readFolder(folder: string, faults: string[]): Map<string, MailTemplate> {
  const templates = new Map<string, MailTemplate>();
  for (const locale of namesIn(folder, faults)) {
    if (!/^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/.test(locale)) {
      faults.push(`${locale} is not a locale in small letters, such as de or pt-br`);
      continue;
    }
    for (const file of namesIn(join(folder, locale), faults)) {
      const place = `${locale}/${file}`;
      const kind = file.replace(/\.txt$/, '');
      if (!file.endsWith('.txt') || !isMailKind(kind)) faults.push(`${place} is none of ${kindNames}`);
      else readTemplate({ path: join(folder, place), place, kind }, templates, faults);
    }
  }
  return templates;
}

const kindNames = Object.keys(mailKinds)
  .map((kind) => `${kind}.txt`)
  .join(', ');

function isMailKind(name: string): name is MailKind {
  return Object.hasOwn(mailKinds, name);
}

interface Place {
  readonly path: string;
  readonly place: string;
  readonly kind: MailKind;
}

function readTemplate(
  { path, place, kind }: Place,
  templates: Map<string, MailTemplate>,
  faults: string[],
): void {
  if (statSync(path).size > mostBytes) {
    faults.push(`${place} is longer than ${mostBytes} bytes`);
    return;
  }
  const source = readFileSync(path, 'utf8');
  if (source.includes('\ufffd')) faults.push(`${place} is not UTF-8`);
  const { template, faults: found } = parseMailTemplate(kind, source);
  faults.push(...found.map((fault) => `${place} ${fault}`));
  templates.set(place.replace(/\.txt$/, ''), template);
}

/** Files whose name begins with a dot are not templates. */
function namesIn(folder: string, faults: string[]): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    faults.push(`${folder} is not a folder that can be read`);
    return [];
  }
}
