import { runProcess } from '@tickrate/platform';
import { createConsole } from './app.ts';
import { consoleConfig, readConsoleValues } from './config.ts';

runProcess(() => createConsole(readConsoleValues()), { config: consoleConfig });
