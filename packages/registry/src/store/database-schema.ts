import type { KeyKind } from '@tickrate/contract';
import type { ColumnType, JSONColumnType } from 'kysely';

export type VersionStatus = 'available' | 'deprecated' | 'retired';

/** A column that is written once. */
type Fixed<T> = ColumnType<T, T, never>;

export interface RegistryDatabase {
  'registry.projects': {
    id: Fixed<string>;
    name: string;
    test_mode: boolean;
    created: Fixed<Date>;
  };
  'registry.keys': {
    id: Fixed<string>;
    line: Fixed<string>;
    project_id: Fixed<string>;
    hash: Fixed<Buffer>;
    prefix: Fixed<string>;
    kind: Fixed<Exclude<KeyKind, 'session'>>;
    comment: string;
    scopes: string[];
    origins: string[] | null;
    created_by: Fixed<string>;
    parent_id: Fixed<string | null>;
    created: Fixed<Date>;
    last_used: ColumnType<Date | null, never, Date>;
    expires: Date | null;
    revoked: ColumnType<Date | null, never, Date>;
  };
  'registry.event_types': {
    project_id: Fixed<string>;
    name: Fixed<string>;
    description: string | null;
    created: Fixed<Date>;
  };
  'registry.event_type_versions': {
    project_id: Fixed<string>;
    name: Fixed<string>;
    version: Fixed<number>;
    status: VersionStatus;
    declaration: ColumnType<object, string, never>;
    fingerprint: Fixed<Buffer>;
    created: Fixed<Date>;
  };
  'registry.view_faults': {
    project_id: Fixed<string>;
    name: Fixed<string>;
    reason: string;
  };
  'registry.policies': {
    project_id: Fixed<string>;
    name: Fixed<string>;
    value: JSONColumnType<object, string, string>;
    changed: Date;
  };
  'registry.saved': {
    id: Fixed<string>;
    project_id: Fixed<string>;
    kind: Fixed<'query' | 'dashboard'>;
    name: string;
    content: JSONColumnType<object, string, string>;
    created_by: Fixed<string>;
    created: Fixed<Date>;
  };
  'registry.console_key': {
    only_row: Fixed<true>;
    key_id: string;
    sealed: Buffer;
  };
  'registry.acts': {
    id: Fixed<string>;
    at: Fixed<Date>;
    project_id: Fixed<string>;
    act: Fixed<string>;
    actor: Fixed<string>;
    request_id: Fixed<string>;
    client_address: Fixed<string>;
    details: JSONColumnType<Readonly<Record<string, unknown>>, string, string>;
    outcome: string | null;
  };
}
