import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('a histogram counts each combination of labels in its buckets', async () => {
  const metrics = createMetrics();
  const seconds = metrics.histogram({
    name: 'x_seconds',
    help: 'X',
    labels: ['route', 'status'],
    buckets: [1, 5],
  });
  seconds.of('/a"b').of(200).observe(1);
  seconds.of('/a"b').of(200).observe(3, 4);
  seconds.of('/c').of('aborted').observe(9);
  expect((await metrics.text()).trim().split('\n')).toEqual([
    '# HELP x_seconds X',
    '# TYPE x_seconds histogram',
    'x_seconds_bucket{route="/a\\"b",status="200",le="1"} 1',
    'x_seconds_bucket{route="/a\\"b",status="200",le="5"} 5',
    'x_seconds_bucket{route="/a\\"b",status="200",le="+Inf"} 5',
    'x_seconds_sum{route="/a\\"b",status="200"} 13',
    'x_seconds_count{route="/a\\"b",status="200"} 5',
    'x_seconds_bucket{route="/c",status="aborted",le="1"} 0',
    'x_seconds_bucket{route="/c",status="aborted",le="5"} 0',
    'x_seconds_bucket{route="/c",status="aborted",le="+Inf"} 1',
    'x_seconds_sum{route="/c",status="aborted"} 9',
    'x_seconds_count{route="/c",status="aborted"} 1',
  ]);
});

test('a histogram without labels is there before its first observation', async () => {
  const metrics = createMetrics();
  metrics.histogram({ name: 'x_seconds', help: 'X', buckets: [1] });
  expect(await metrics.text()).toContain(
    'x_seconds_bucket{le="+Inf"} 0\nx_seconds_sum 0\nx_seconds_count 0\n',
  );
});

test('a gauge with labels has only the combinations of its last reading', async () => {
  const metrics = createMetrics();
  let found = [
    { lane: 'bulk', value: 1 },
    { lane: 'express', value: 2 },
  ];
  metrics.gauge({ name: 'x', help: 'X', labels: ['lane'], read: () => found });
  expect(await metrics.text()).toContain('x{lane="bulk"} 1\nx{lane="express"} 2');
  found = [];
  expect(await metrics.text()).not.toContain('x{');
});
