import { runProcess } from '@tickrate/platform';
import { createDemo } from './app.ts';
import { demoConfig } from './config.ts';

runProcess(() => createDemo(demoConfig.parse()), { config: demoConfig });
