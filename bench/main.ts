import { cpus, totalmem } from 'node:os';
import { type Bench, type BenchResult, summarise } from './bench.ts';
import { gatewayBatch } from './gateway-batch.ts';
import { gatewaySingle } from './gateway-single.ts';
import { pipelineStored } from './pipeline-stored.ts';

const benches: readonly Bench[] = [gatewayBatch, gatewaySingle, pipelineStored];
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const asJson = process.argv.includes('--json');
const unknown = names.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `No bench is named ${unknown.join(', ')}. There are: ${benches.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}

const note = (line: string) => {
  if (!asJson) console.log(line);
};
const [cpu] = cpus();
note(
  `${cpu?.model.trim()} × ${cpus().length}, ${Math.round(totalmem() / 1024 ** 3)} GiB, Node ${process.version}`,
);
const results: BenchResult[] = [];
for (const bench of benches) {
  if (names.length > 0 && !names.includes(bench.name)) continue;
  note(`${bench.name}: against ${bench.against}`);
  const result = summarise(bench, await bench.run((line) => note(`  ${line}`)));
  results.push(result);
  if (asJson) console.log(JSON.stringify(result));
}
note('');
note('bench             value          unit        limit          ratio   target');
for (const { name, value, unit, limit, ratio, target } of results) {
  note(
    `${name.padEnd(18)}${String(Math.round(value)).padEnd(15)}${unit.padEnd(12)}${String(Math.round(limit)).padEnd(15)}${ratio.toFixed(2).padEnd(8)}${target}`,
  );
}
