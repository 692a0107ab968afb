import { readStandaloneValues } from './config.ts';
import { runTickrate } from './tickrate.ts';

process.exitCode = await runTickrate(process.argv.slice(2), {
  values: readStandaloneValues(),
  out: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
