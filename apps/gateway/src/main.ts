import { runProcess } from '@tickrate/platform';
import { createGateway } from './app.ts';
import { gatewayConfig } from './config.ts';

runProcess(() => createGateway(gatewayConfig.parse()), { config: gatewayConfig });
