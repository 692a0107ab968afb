import { runProcess } from '@tickrate/platform';
import { createStandalone } from './app.ts';
import { readStandaloneValues } from './config.ts';
import { parseOptions, standaloneHelp } from './options.ts';

runProcess(() => createStandalone(parseOptions(process.argv.slice(2)), readStandaloneValues()), {
  config: standaloneHelp,
});
