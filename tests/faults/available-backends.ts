import { readTestServicesConfig } from '@tickrate/testkit';
import type { Backend } from './fault-stack.ts';

/** Redis is killed and restored, so it must be a program on this machine. */
export function availableBackends(): Backend[] {
  return readTestServicesConfig().redisProgram === null ? ['postgres'] : ['postgres', 'redis'];
}
