import { migrateSchema } from '@tickrate/postgres';
import { migrations } from './migrations.ts';

/** Migrates the schema `registry` to the current version. */
export function migrateRegistry(postgresUrl: string): Promise<void> {
  return migrateSchema(postgresUrl, { name: 'registry', migrations });
}
