import { createOpenApiDocument, type JsonObject, type Operation, policySchemas } from '@tickrate/contract';
import { auditEntrySchema } from './audit/audit-operations.ts';
import {
  changeSchema,
  declarationFileSchema,
  declaredSchema,
  eventTypeBriefSchema,
  eventTypeSchema,
  faultSchema,
  sampleEventSchema,
} from './event-types/event-type-schemas.ts';
import { invitationSchema } from './invitations/invitation-operations.ts';
import { keySchema } from './keys/key-operations.ts';
import { memberSchema, roleSchema } from './members/member-operations.ts';
import { mailSchema } from './outbox/outbox-operations.ts';
import { playerIdentitySchema, playerSchema, playerSessionSchema } from './players/player-schemas.ts';
import { policySchema } from './policies/policy-operations.ts';
import { erasureSchema } from './privacy/privacy-operations.ts';
import { deletionSchema, projectSchema } from './projects/project-operations.ts';
import { quarantinedBriefSchema, quarantinedSchema } from './quarantine/quarantine-operations.ts';

const tags = [
  {
    name: 'Projects',
    description: 'A project contains all other objects. Each key and each session belongs to one project.',
  },
  { name: 'Members', description: 'The administrators of the project, their roles, and invitations.' },
  {
    name: 'API keys',
    description: 'Keys to send events and to manage the project. The text of a key is shown only once.',
  },
  {
    name: 'Event types',
    description: 'Declarations of events. A version never changes; only its status can.',
  },
  {
    name: 'Policies',
    description: 'Settings of the project that override the defaults, each under a name.',
  },
  {
    name: 'Quarantine',
    description: 'Rejected events and dead letters: show the reasons, replay or delete them.',
  },
  {
    name: 'Players',
    description: 'The players of the project: find them, ban them, end their sessions.',
  },
  { name: 'Privacy', description: 'Export or erase the data of one account.' },
  { name: 'Pipeline', description: 'The state of accepted events.' },
  { name: 'Audit', description: 'Actions, with their actor and outcome.' },
  { name: 'Outbox', description: 'Unsent mails, for development.' },
  { name: 'Queries', description: 'SQL over the events of the project.' },
  { name: 'Analyses', description: 'Common questions about a game, without SQL. Times are in UTC.' },
  { name: 'Demo', description: 'A simulated game, for a first look.' },
];

const description = `Everything that the console and scripts can manage.

Send an administrative key, or the key of an administrator's session, in \`X-API-Key\` or as a bearer token. A call acts on
the project of its key. Scopes define its permissions: \`<resource>:read\`, or \`<resource>:write\`, which includes
reading. A session has the scopes of its role.

Lists return \`{results, next}\`. Send \`next\` as \`cursor\` until it is null. Edits contain the \`version\` that you
read, and fail with 3004 if the record has changed since. The audit trail contains every action.`;

const policies = Object.fromEntries(
  Object.entries(policySchemas).map(([name, schema]) => [`Policy_${name}`, schema]),
);

export function createManagementDocument(operations: readonly Operation[]): JsonObject {
  return createOpenApiDocument({
    title: 'Tickrate management API',
    version: 'v1',
    description,
    tags,
    schemas: {
      Project: projectSchema,
      Member: memberSchema,
      Role: roleSchema,
      Invitation: invitationSchema,
      Key: keySchema,
      EventType: eventTypeSchema,
      EventTypeBrief: eventTypeBriefSchema,
      Declared: declaredSchema,
      Change: changeSchema,
      DeclarationFile: declarationFileSchema,
      SampleEvent: sampleEventSchema,
      Fault: faultSchema,
      Quarantined: quarantinedSchema,
      QuarantinedBrief: quarantinedBriefSchema,
      Player: playerSchema,
      PlayerSession: playerSessionSchema,
      PlayerIdentity: playerIdentitySchema,
      Erasure: erasureSchema,
      DeletedProject: deletionSchema,
      AuditEntry: auditEntrySchema,
      Mail: mailSchema,
      Policy: policySchema,
      ...policies,
    },
    operations,
  });
}
