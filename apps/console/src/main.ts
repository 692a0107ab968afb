import { runProcess } from '@tickrate/platform';
import { createConsole } from './app.ts';
import { consoleConfig } from './config.ts';

runProcess(() => createConsole(consoleConfig.parse()), { config: consoleConfig });
