import { migrateSchema } from '@tickrate/postgres';
import { registrySchema } from './registry-schema.ts';

/** Migrates the schema `registry` to the current version. */
export function migrateRegistry(postgresUrl: string): Promise<void> {
  return migrateSchema(postgresUrl, registrySchema);
}
