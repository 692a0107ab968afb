import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  declareConformanceType,
  isKept,
  prepareSdk,
  runScenarios,
} from '../clients/conformance/run-scenarios.ts';
import { missingPrograms, testedSdks } from '../clients/conformance/sdks.ts';
import { type RunningProduct, startProduct } from './running-product.ts';

let product: RunningProduct;

beforeAll(async () => {
  product = await startProduct();
  declareConformanceType(product);
});
afterAll(() => product.stop());

/** The quickest of each kind. `npm run test:clients` plays all of them. */
const short = /while it tracks|lost, late|hostile|split|torn|two processes|1970|buffer is full/;

for (const sdk of testedSdks) {
  const missing = missingPrograms(sdk);
  if (missing.length > 0)
    process.stderr.write(`SKIPPED: the ${sdk.name} SDK (not on the PATH: ${missing.join(', ')})\n`);
  test.skipIf(missing.length > 0)(`the ${sdk.name} SDK loses and doubles no event`, async () => {
    prepareSdk(sdk);
    const results = await runScenarios(product, sdk, {
      seed: 7,
      size: 1,
      only: ({ name }) => short.test(name),
    });
    expect(results.length).toBeGreaterThan(5);
    expect(results.filter((result) => !isKept(result))).toEqual([]);
  });
}
