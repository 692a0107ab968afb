import { Tickrate } from '@tickrate/sdk';

// node clients/typescript/examples/first-event.ts URL KEY, after `npm run sdk:build`
const [, , url = 'http://127.0.0.1:8080', key = ''] = process.argv;
const tickrate = await Tickrate.open({ url, key, consent: 'granted', debug: true });
tickrate.track({ eventType: 'level_up', event: { level: 7, character: 'ranger' } });
const isSent = await tickrate.flush({ timeoutMs: 5_000 });
process.stdout.write(isSent ? 'stored\n' : 'kept, and sent at the next start\n');
await tickrate.close();
