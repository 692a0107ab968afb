import { statfs } from 'node:fs/promises';
import type { Ledger } from '@tickrate/pipeline';
import type { VolumeSource } from './disk-space.ts';

export interface VolumeSourcesOptions {
  /** Folders of stores on this machine. */
  readonly folders: readonly string[];
  readonly ledger: Pick<Ledger, 'disks' | 'databaseBytes'>;
  /** How large the database may become; null if unlimited. */
  readonly databaseLimitBytes: number | null;
}

/**
 * The volumes of the stores: those of this machine, those that workers report, and the remaining space of PostgreSQL.
 */
export function volumeSources({ folders, ledger, databaseLimitBytes }: VolumeSourcesOptions): VolumeSource[] {
  const local = folders.map((folder) => ({
    name: folder,
    everyMs: 250,
    read: async () => [{ name: folder, freeBytes: await freeBytes(folder) }],
  }));
  const told: VolumeSource = {
    name: 'told',
    everyMs: 2_000,
    read: async () => [...(await ledger.disks())].map(([name, { freeBytes }]) => ({ name, freeBytes })),
  };
  if (databaseLimitBytes === null) return [...local, told];
  const database: VolumeSource = {
    name: 'postgres',
    everyMs: 5_000,
    read: async () => [{ name: 'postgres', freeBytes: databaseLimitBytes - (await ledger.databaseBytes()) }],
  };
  return [...local, told, database];
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
