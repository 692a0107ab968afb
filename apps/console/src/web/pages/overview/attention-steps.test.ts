import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stepsGerman } from './attention-german.ts';
import { attentionSteps } from './attention-steps.ts';

test('every chapter that an alarm names is in the operations document', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../../docs/operations.md'), 'utf8');
  const titles = [...page.matchAll(/^### (.+?)(?: \(.+\))?$/gm)].map(([, title]) => title);
  for (const { chapter } of Object.values(attentionSteps)) {
    if (chapter !== null) expect(titles).toContain(chapter);
  }
});

test('every alarm has as many steps in German as in English', () => {
  for (const [kind, { steps }] of Object.entries(attentionSteps))
    expect(stepsGerman[kind as keyof typeof stepsGerman].length, kind).toBe(steps.length);
});
