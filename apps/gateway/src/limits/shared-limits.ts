import type { Component } from '@tickrate/platform';
import type { Postgres } from '@tickrate/postgres';
import { createBroadcast } from '@tickrate/registry';
import type { GatewayConfig } from '../config.ts';
import type { GatewayEvents } from '../gateway-events.ts';
import { type CheckRates, createRates } from './rates.ts';
import { createSharedRates } from './shared-rates.ts';

export interface SharedLimits {
  readonly check: CheckRates;
  readonly sharing: Component;
}

const tellRatesMs = 200;

/** The rates, synchronised with those of the other gateways. A single gateway has only its own limits. */
export function createSharedLimits(
  config: GatewayConfig,
  { postgres, sender, events }: { postgres: Postgres; sender: string; events: GatewayEvents },
): SharedLimits {
  const { check, limiter } = createRates({
    perAddress: config.rateOfAddress,
    perKey: config.rateOfKey,
    perProject: config.rateOfProject,
    now: Date.now,
  });
  const onFault = (error: unknown) => events.dependencyFault('registry', error);
  const broadcast = createBroadcast({
    postgres,
    channel: 'tickrate_rates',
    onMessage: (message) => shared.hear(message),
  });
  const shared = createSharedRates({ limiter, sender, send: broadcast.send, onFault });
  let timer: NodeJS.Timeout | undefined;
  const sharing: Component = {
    name: 'shared-rates',
    async start() {
      broadcast.start();
      timer = setInterval(() => void shared.tell(), tellRatesMs);
    },
    async stop() {
      clearInterval(timer);
      await broadcast.stop();
    },
  };
  return { check, sharing };
}
