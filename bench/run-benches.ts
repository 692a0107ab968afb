import { type Bench, type BenchResult, summarise } from './bench.ts';
import { closeAllOpened } from './opened.ts';

export interface BenchReport {
  note(line: string): void;
  result(result: BenchResult): void;
  fault(bench: Bench, fault: unknown): void;
}

/** Runs the benches one by one. A bench that fails is reported and closes what it opened; the others still run. */
export async function runBenches(benches: readonly Bench[], report: BenchReport): Promise<boolean> {
  let isWell = true;
  for (const bench of benches) {
    report.note(`${bench.name}: against ${bench.against}`);
    try {
      report.result(summarise(bench, await bench.run((line) => report.note(`  ${line}`))));
    } catch (fault) {
      isWell = false;
      report.fault(bench, fault);
    } finally {
      await closeAllOpened();
    }
  }
  return isWell;
}
