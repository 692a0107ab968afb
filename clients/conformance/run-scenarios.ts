import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSeededRandom } from '../../tests/faults/seeded-random.ts';
import { createChaosProxy } from './chaos-proxy.ts';
import { conformanceDeclaration } from './conformance-event.ts';
import type { Verdict } from './judge.ts';
import { scenarios } from './scenarios/scenarios.ts';
import type { TestedSdk } from './sdks.ts';
import { type Product, type Scenario, Stage } from './stage.ts';

export interface ProductToTest extends Product {
  readonly gateway: string;
  readonly auth: string;
  readonly folder: string;
}

export interface ScenarioResult extends Verdict {
  readonly scenario: string;
  readonly kills: number;
  readonly seconds: number;
  readonly notes: readonly string[];
  /** Null if it was played to its end. */
  readonly error: string | null;
}

export interface RunOptions {
  readonly seed: number;
  /** Scales what each scenario sends. */
  readonly size: number;
  readonly only?: (scenario: Scenario) => boolean;
  readonly onResult?: (result: ScenarioResult) => void;
}

/** Declares the event type that the scenarios use. */
export function declareConformanceType({ folder }: ProductToTest): void {
  const scratch = mkdtempSync(join(tmpdir(), 'tickrate-declare-'));
  const file = join(scratch, 'conformance.json');
  writeFileSync(file, JSON.stringify(conformanceDeclaration));
  const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts');
  execFileSync(process.execPath, [cli, 'event-types', 'declare', file, '--data', folder], { stdio: 'pipe' });
  rmSync(scratch, { recursive: true });
}

export function prepareSdk({ prepare }: TestedSdk): void {
  for (const [program = '', ...args] of prepare) execFileSync(program, args, { stdio: 'pipe' });
}

/** Plays every scenario once, one after the other. */
export async function runScenarios(
  product: ProductToTest,
  sdk: TestedSdk,
  { seed, size, only = () => true, onResult = () => undefined }: RunOptions,
): Promise<ScenarioResult[]> {
  const parent = mkdtempSync(join(tmpdir(), `tickrate-${sdk.name}-`));
  const proxy = await createChaosProxy(product);
  const results: ScenarioResult[] = [];
  try {
    for (const [at, scenario] of scenarios.entries()) {
      if (!only(scenario) || (scenario.needsThread && !sdk.hasThread)) continue;
      const run = `${sdk.name}-${seed}-${at}`;
      const random = createSeededRandom(seed, scenario.name);
      const folder = join(parent, String(at));
      const stage = new Stage({ product, proxy, command: sdk.command, folder, run, random, size });
      const result = await play(scenario, stage);
      results.push(result);
      onResult(result);
    }
  } finally {
    await proxy.close();
    rmSync(parent, { recursive: true, force: true });
  }
  return results;
}

async function play(scenario: Scenario, stage: Stage): Promise<ScenarioResult> {
  const began = performance.now();
  let error: string | null = null;
  try {
    await scenario.play(stage);
  } catch (fault) {
    error = String(fault);
  } finally {
    await stage.leave();
  }
  const verdict = await stage.verdict();
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  return { scenario: scenario.name, kills: stage.kills, seconds, notes: stage.notes, error, ...verdict };
}

export function isKept({ lost, doubled, wrong, error }: ScenarioResult): boolean {
  return lost.length + doubled.length + wrong.length === 0 && error === null;
}
