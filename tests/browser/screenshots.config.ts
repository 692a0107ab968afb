import { defineConfig } from 'vitest/config';

/** For `npm run console:screenshots` and `console:pictures`: no tests of `npm test`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    globalSetup: './browser-setup.ts',
    include: ['screenshots.ts', 'pictures.ts'],
    testTimeout: 300_000,
    maxWorkers: 1,
  },
});
