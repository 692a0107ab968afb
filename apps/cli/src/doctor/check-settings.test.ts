import { expect, test } from 'vitest';
import { checkSettings } from './check-settings.ts';

test('names a setting that no process reads, of any process', () => {
  expect(
    checkSettings({ RATE_PER_KYE: '7', QUEUE_LIMT_BYTES: '3GiB', HTTPS_PROXY: 'x', BATCH_AGE: '1s' }),
  ).toMatchObject([
    { state: 'bad', found: 'RATE_PER_KYE is not a setting', advice: expect.stringContaining('RATE_PER_KEY') },
    { state: 'bad', advice: expect.stringContaining('QUEUE_LIMIT_BYTES') },
  ]);
  expect(checkSettings({ BATCH_AGE: '1s', HTTPS_PROXY: 'x' })).toMatchObject([{ state: 'good' }]);
});
