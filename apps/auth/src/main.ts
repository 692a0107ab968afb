import { runProcess } from '@tickrate/platform';
import { createAuth } from './app.ts';
import { authConfig } from './config.ts';

runProcess(() => createAuth(authConfig.parse()), { config: authConfig });
