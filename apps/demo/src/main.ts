import { runProcess } from '@tickrate/platform';
import { createDemo } from './app.ts';
import { demoConfig, readDemoValues } from './config.ts';

runProcess(() => createDemo(readDemoValues()), { config: demoConfig });
