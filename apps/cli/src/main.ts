import { runTickrateProcess } from './tickrate-process.ts';

await runTickrateProcess(process.argv.slice(2));
