import { randomBytes } from 'node:crypto';
import { done } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';

// Part of URLs, so letters and digits only.
const names = ['POSTGRES_PASSWORD', 'CLICKHOUSE_PASSWORD', 'VALKEY_PASSWORD', 'AUTH_SECRET', 'SECRETS_KEY'];

export const createSecretsCommand = defineCommand({
  words: 'secrets create',
  summary: 'print new passwords and secrets for the .env of docker-compose.yml',
  async run() {
    const secrets = names.map((name) => [name, randomBytes(24).toString('hex')] as const);
    return done(
      Object.fromEntries(secrets),
      secrets.map(([name, secret]) => `${name}=${secret}`),
    );
  },
});
