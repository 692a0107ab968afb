import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  declareConformanceType,
  isKept,
  prepareSdk,
  runScenarios,
} from '../clients/conformance/run-scenarios.ts';
import { testedSdks } from '../clients/conformance/sdks.ts';
import { type RunningProduct, startProduct } from './running-product.ts';

let product: RunningProduct;

beforeAll(async () => {
  product = await startProduct();
  declareConformanceType(product);
});
afterAll(() => product.stop());

/** The quickest of each kind. `npm run test:clients` plays all of them. */
const short = /while it tracks|lost, late|hostile|split|torn|two processes|1970|buffer is full/;

// Invariant (Delivery): An event that an SDK's `track()` confirmed is stored exactly once, with its values: through
// kills, lost and hostile answers, edited buffers and clock jumps
for (const sdk of testedSdks) {
  // An SDK with a toolchain of its own takes too long to build here.
  if (sdk.needs.length > 0) {
    process.stderr.write(`SKIPPED: the ${sdk.name} SDK (npm run test:clients -- --sdk ${sdk.name})\n`);
    continue;
  }
  test(`the ${sdk.name} SDK loses and doubles no event`, async () => {
    prepareSdk(sdk);
    const only = ({ name }: { readonly name: string }) => short.test(name);
    const results = await runScenarios(product, sdk, { seed: 7, size: 1, only });
    expect(results.length).toBeGreaterThan(5);
    expect(results.filter((result) => !isKept(result))).toEqual([]);
  });
}
