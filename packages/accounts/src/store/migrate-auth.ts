import { migrateSchema } from '@tickrate/postgres';
import { authSchema } from './auth-schema.ts';

/** Migrates the schema `auth` to the current version. */
export function migrateAuth(postgresUrl: string): Promise<void> {
  return migrateSchema(postgresUrl, authSchema);
}
