import { runProcess } from '@tickrate/platform';
import { createGateway } from './app.ts';
import { gatewayConfig, readGatewayConfig } from './config.ts';

runProcess(() => createGateway(readGatewayConfig()), { config: gatewayConfig });
