import { runProcess } from '@tickrate/platform';
import { createWorker } from './app.ts';
import { readWorkerConfig, workerConfig } from './config.ts';

runProcess(() => createWorker(readWorkerConfig()), { config: workerConfig, garbagePercent: 60 });
