import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import type { Bench } from './bench.ts';
import { drive } from './drive.ts';
import type { RecordedStatement } from './replay-statements.ts';
import { players, type SignInProcess, type SignInStore, withSignInStore } from './sign-in-process.ts';
import { signIn, takeSignInRounds } from './sign-in-rounds.ts';

export const authToken: Bench = {
  name: 'auth.token',
  unit: 'sign-ins/s',
  against: 'the statements of a sign-in, recorded and sent again by a process that does nothing else',
  target: 0.5,
  better: 'higher',
  run: (report) =>
    withSignInStore(async (store) => {
      const { postgresUrl } = store;
      const { statements, credentials } = await recordSignIn(store);
      report(`${statements.length} statements a sign-in`);
      const bare = (measureMs: number) =>
        drive('replay-statements.ts', { postgresUrl, statements, connections: players, measureMs });
      return store.withAuth((auth) => takeSignInRounds({ auth, credentials, rounds: 5, report, bare }));
    }),
};

// Statements that follow changes, look up keys or record their use are not part of a sign-in.
const beside = /registry\.(?:epoch|changes|keys)\b|^LISTEN/;

async function recordSignIn(store: SignInStore) {
  const file = join(store.folder, 'statements');
  return store.withAuth(
    async (auth) => {
      const credentials: object[] = [];
      for (let player = 0; player < players; player++) credentials.push(await register(auth));
      const [first = {}] = credentials;
      await signIn(auth, first);
      await writeFile(file, '');
      await signIn(auth, first);
      const lines = (await readFile(file, 'utf8')).trim().split('\n');
      const statements = lines.map((line): RecordedStatement => deserialize(Buffer.from(line, 'base64')));
      return { credentials, statements: statements.filter(({ text }) => !beside.test(text)) };
    },
    {
      environment: { BENCH_STATEMENTS: file },
      preload: new URL('record-statements.ts', import.meta.url),
    },
  );
}

async function register(auth: SignInProcess): Promise<object> {
  const answer = await auth.send('PUT', 'authenticate', { tokens: { deviceTokens: [{ deviceId: 'new' }] } });
  const { issuedDeviceToken } = answer as { readonly issuedDeviceToken: object };
  return { tokens: { deviceTokens: [issuedDeviceToken] } };
}
