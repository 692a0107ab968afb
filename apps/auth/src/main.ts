import { runProcess } from '@tickrate/platform';
import { createAuth } from './app.ts';
import { authConfig, readAuthValues } from './config.ts';

runProcess(() => createAuth(readAuthValues()), { config: authConfig });
