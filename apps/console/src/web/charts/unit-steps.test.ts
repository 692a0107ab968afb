import { expect, test } from 'vitest';
import { createFormats } from '../time/format-values.ts';
import { type Unit, unitSteps } from './unit-steps.ts';

const formats = createFormats('en', 'UTC');
const writes = { seconds: formats.duration, bytes: formats.bytes } as const;

test.each<Unit>(['seconds', 'bytes'])('marks at steps of %s are round in the unit that is shown', (unit) => {
  for (const step of unitSteps[unit].filter((each) => each >= 0.001)) {
    expect(writes[unit](step)).toMatch(/^\d+ [a-z]+$/i);
  }
  expect(unitSteps[unit]).toEqual(unitSteps[unit].toSorted((a, b) => a - b));
});
