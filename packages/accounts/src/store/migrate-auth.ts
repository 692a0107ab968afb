import { migrateSchema } from '@tickrate/postgres';
import { migrations } from './migrations.ts';

/** Migrates the schema `auth` to the current version. */
export function migrateAuth(postgresUrl: string): Promise<void> {
  return migrateSchema(postgresUrl, { name: 'auth', migrations });
}
