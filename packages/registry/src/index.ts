export {
  createRegistryCache,
  type RegistryCache,
  type RegistryCacheOptions,
} from './caches/registry-cache.ts';
export { type Broadcast, type BroadcastOptions, createBroadcast } from './changes/broadcast.ts';
export { createStoredDeclarationCompiler } from './event-types/compiled-declarations.ts';
export type { DeclareRequest, DeclareResult } from './event-types/declare-event-type.ts';
export type {
  EventType,
  EventTypeVersion,
  StoredDeclarationCompiler,
  VersionStatus,
} from './event-types/event-type.ts';
export { isEventTypeName } from './event-types/event-type-name.ts';
export {
  createEventTypeWatch,
  type EventTypeWatch,
  type EventTypeWatchOptions,
} from './event-types/event-type-watch.ts';
export type {
  EventTypePage,
  EventTypeRecord,
  EventTypeVersionRecord,
  StatusRequest,
} from './event-types/event-types.ts';
export { type KeyEdit, type KeyPage, type KeyPlace, keyVersion } from './keys/edit-key.ts';
export type { KeyRevocation, KeyRotation, RevokedKey, RotatedKey } from './keys/end-key.ts';
export type { KeyRecord } from './keys/key-record.ts';
export type { CreatedKey, KeyRequest } from './keys/keys.ts';
export type { Principal } from './keys/principal.ts';
export type { Act, ActOutcome, ActPage, Acts } from './management/acts.ts';
export type { RegistryManagement } from './management/management.ts';
export { type DemoProgress, type DemoRecord, demoChannel } from './projects/demo-record.ts';
export { type PolicyEdit, type PolicyRequest, policyVersion } from './projects/policies.ts';
export type { ProjectPolicies } from './projects/policy-cache.ts';
export {
  type Project,
  type ProjectEdit,
  type ProjectRequest,
  projectRemoval,
  projectVersion,
} from './projects/projects.ts';
export { type SavedKind, type SavedRecord, savedVersion } from './projects/saved.ts';
export type { ProjectSettings } from './projects/settings-source.ts';
export type { Share, SharedDashboard } from './projects/shares.ts';
export { createRegistry, type Registry, type RegistryOptions } from './registry.ts';
export { openProviders, type Sealer } from './store/provider-secrets.ts';
export { migrateRegistry } from './store/registry-schema.ts';
