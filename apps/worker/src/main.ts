import { runProcess } from '@tickrate/platform';
import { createWorker } from './app.ts';
import { workerConfig } from './config.ts';

runProcess(() => createWorker(workerConfig.parse()), { config: workerConfig, garbagePercent: 60 });
