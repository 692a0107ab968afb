import { createOpenApiDocument, type JsonObject, type Operation } from '@tickrate/contract';
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
import { policySchema, settablePolicies } from './policies/policy-operations.ts';
import { erasureSchema } from './privacy/privacy-operations.ts';
import { projectSchema } from './projects/project-operations.ts';
import { quarantinedBriefSchema, quarantinedSchema } from './quarantine/quarantine-operations.ts';

const tags = [
  { name: 'Projects', description: 'What everything else belongs to: a key or a session is in one project.' },
  { name: 'Members', description: 'Who administers the project, in which role, and who is invited to.' },
  {
    name: 'API keys',
    description: 'Who may send events and who may manage. The text of a key is told once.',
  },
  {
    name: 'Event types',
    description: 'What events may hold. Versions never change; whether they are taken may.',
  },
  {
    name: 'Policies',
    description: 'What is set for one project in place of the defaults, each under a name.',
  },
  {
    name: 'Quarantine',
    description: 'What was rejected or could not be stored: see why, send it again, delete it.',
  },
  {
    name: 'Players',
    description: 'Whose accounts play here: find them, ban them, end their sessions.',
  },
  { name: 'Privacy', description: 'What is known of one account, and that it is forgotten.' },
  { name: 'Pipeline', description: 'Where events are on their way.' },
  { name: 'Audit', description: 'What was done, by whom, and how it ended.' },
  { name: 'Outbox', description: 'Mails that were not sent, for development.' },
  { name: 'Queries', description: 'SQL over the events of the project, and nothing else.' },
  { name: 'Analyses', description: 'Questions that are asked of every game, without SQL. Times are in UTC.' },
];

const description = `Everything that can be managed, for the console and for scripts.

A call carries an administrative key, or the key of an administrator's session, in \`X-API-Key\` or as a bearer token.
It acts on the project of that key. What it may do is told by scopes, \`<resource>:read\` or \`<resource>:write\`, of which
writing includes reading; a session has those of its role.

Lists answer \`{results, next}\`; \`next\` is sent back as \`cursor\` until it is null. Edits carry the \`version\` that was
read, and are refused with 3004 when somebody else was faster. Every act is in the audit trail.`;

const policies = Object.fromEntries(
  Object.entries(settablePolicies).map(([name, schema]) => [`Policy_${name}`, schema]),
);

/** The OpenAPI document of the management API, of the very operations that are mounted. */
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
      AuditEntry: auditEntrySchema,
      Mail: mailSchema,
      Policy: policySchema,
      ...policies,
    },
    operations,
  });
}
