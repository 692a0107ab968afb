import { defineConfig } from 'vitest/config';

/** For `npm run test:containers`: needs a Docker engine and ten minutes, so it is no test of `npm test`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['containers.ts'],
    testTimeout: 300_000,
    hookTimeout: 1_800_000,
    bail: 1,
  },
});
