import { waitUntil } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { type RunningGateway, startWorld } from '../testing/gateway-world.ts';

const { world } = await startWorld();
// Few: a busy machine must be able to send several times as many.
const perSecond = 10;

const gateways = [await world.gateway(), await world.gateway()] as const;

test('the rate of a project holds over two gateways with any split of the requests', async () => {
  const { projectId, key } = await world.project();
  await world.registry.setPolicy({ projectId, name: 'rates', value: { perProject: perSecond } });
  const [first, second] = gateways;
  const send = (gateway: RunningGateway) =>
    gateway.send({ path: 'insert?eventType=level', key, body: { level: 1 } });
  await waitUntil(async () =>
    (await send(second)).headers['ratelimit-policy']?.includes(`"project";q=${perSecond};w=1`),
  );

  const began = performance.now();
  const elapsedSeconds = () => (performance.now() - began) / 1_000;
  let accepted = 0;
  const mostAccepted = () => perSecond * (elapsedSeconds() + 1) * 1.1;
  // The excess of the time before the gateways hear of each other is subtracted later, on a busy machine after 3 s.
  const flood = async (gateway: RunningGateway) => {
    while (elapsedSeconds() < 3 || (elapsedSeconds() < 15 && accepted > mostAccepted())) {
      const { status } = await send(gateway);
      if (status === 200) accepted++;
      else expect(status).toBe(429);
    }
  };
  // Three to one: each gateway alone would get more than the rate.
  await Promise.all([flood(first), flood(first), flood(first), flood(second)]);
  expect(accepted).toBeLessThanOrEqual(mostAccepted());
  // `shared-rates.test.ts` proves by its own clock that no refill is lost.
  expect(accepted).toBeGreaterThanOrEqual(perSecond);
  for (const gateway of gateways) await waitUntil(async () => (await send(gateway)).status === 200);
});
