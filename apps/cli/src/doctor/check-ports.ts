import { createServer } from 'node:net';
import { portPlan, type ServiceName } from '@tickrate/platform';
import { type Finding, good, timeoutMs, warning } from './finding.ts';

/** Checks that the ports of `npm start` are free; reports nothing while it runs. */
export async function checkPorts(gateway: string | null, basePort: number): Promise<Finding[]> {
  if (gateway !== null && (await answers(gateway))) return [];
  const plan = Object.entries(portPlan(basePort)) as [ServiceName, number][];
  const looked = await Promise.all(
    plan.map(async ([name, port]) => ({ name, port, taken: await isTaken(port) })),
  );
  const taken = looked.filter((each) => each.taken).map(({ name, port }) => `${port} (${name})`);
  if (taken.length === 0) return [good('Ports', `${basePort} to ${basePort + plan.length - 1} are free`)];
  const found = `${taken.join(', ')} taken by another program`;
  return [warning('Ports', found, 'Stop what listens there, or take others: `npm start -- --port N`')];
}

async function answers(gateway: string): Promise<boolean> {
  try {
    const answer = await fetch(`${gateway}/health/live`, { signal: AbortSignal.timeout(timeoutMs) });
    await answer.text();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Whether another program listens on the port. A port that this user may not open counts as taken. */
function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(true));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)));
  });
}
