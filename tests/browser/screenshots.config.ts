import { defineConfig } from 'vitest/config';

/** Only for `npm run console:screenshots`: no test of `npm test`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    globalSetup: './browser-setup.ts',
    include: ['screenshots.ts'],
    testTimeout: 120_000,
    maxWorkers: 1,
  },
});
