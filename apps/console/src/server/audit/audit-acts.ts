import { type Operation, SystemError } from '@tickrate/contract';
import type { OperationCall } from '@tickrate/platform';
import type { ConsoleParts } from '../../parts.ts';
import { type Caller, nameOf } from '../calls/caller.ts';

type Call = OperationCall<Operation, Caller>;

/**
 * Does the work of a call. A call that requires a write scope is an action, unless it is a dry run: it is recorded
 * before it is done, so that no action is unrecorded, and its outcome is recorded after it if it is known. The trail never
 * changes the answer of an action.
 */
export function createAuditActs({ registry, newId, now, onFault }: ConsoleParts) {
  return async (call: Call, work: () => Promise<unknown>): Promise<unknown> => {
    const { operation, caller, context } = call;
    if (!operation.scope?.endsWith(':write') || isDryRun(call)) return work();
    const id = newId();
    await registry.beginAct({
      id,
      atMs: now(),
      projectId: caller.projectId,
      act: operation.id,
      actor: nameOf(caller),
      requestId: context.requestId,
      clientAddress: context.clientAddress,
      details: detailsOf(call),
    });
    let answer: unknown;
    try {
      answer = await work();
    } catch (error) {
      const reason = error instanceof SystemError ? error.reason : 'internalException';
      if (!isUnknown(error)) await registry.endAct({ id, outcome: reason, details: {} }).catch(onFault);
      throw error;
    }
    await registry.endAct({ id, outcome: 'done', details: objectIn(call, answer) }).catch(onFault);
    return answer;
  };
}

/** The action may have been done. */
function isUnknown(error: unknown): boolean {
  return error instanceof SystemError && error.data['outcomeUnknown'] === true;
}

/** The page of a declaration sends one for each pause in typing. Bodies are closed: only an operation with dry runs accepts it. */
function isDryRun({ body }: Call): boolean {
  return recordOf(body)['dryRun'] === true;
}

// Only these members of bodies are recorded: policies contain secrets; declarations and events are large.
const recordedMembers = [
  'kind',
  'comment',
  'scopes',
  'origins',
  'expires',
  'name',
  'testMode',
  'overlapSeconds',
  'from',
  'status',
  'compatibleOnly',
  'role',
  'roles',
  'reason',
  'mode',
  'filter',
];

function detailsOf(call: Call): Record<string, unknown> {
  const given = recordOf(call.body);
  const recorded = recordedMembers.flatMap((name) =>
    given[name] === undefined ? [] : [[name, given[name]]],
  );
  const { declarations } = given;
  const types = Array.isArray(declarations) && { types: declarations.map((each) => recordOf(each)['name']) };
  return { ...Object.fromEntries(recorded), ...types, ...recordOf(call.params), ...invitedIn(call, given) };
}

/** The id and the name of the object, which may be gone when somebody reads the trail. */
function objectIn(call: Call, answer: unknown): Record<string, unknown> {
  const answered = recordOf(answer);
  const { id, name, key, project, share, dashboardId = recordOf(share)['dashboardId'] } = answered;
  const object = {
    id: id ?? recordOf(project)['id'] ?? recordOf(key)['id'],
    name,
    dashboardId,
    ...invitedIn(call, answered),
  };
  return Object.fromEntries(Object.entries(object).filter(([, value]) => typeof value === 'string'));
}

/** Nobody erases from the trail, so it keeps no whole address of an invited person. */
function invitedIn(
  { operation }: Call,
  { emailAddress }: Readonly<Record<string, unknown>>,
): { readonly invited?: string } {
  if (!operation.path.startsWith('/v1/invitations') || typeof emailAddress !== 'string') return {};
  return { invited: emailAddress.replace(/^(.).*(@[^@]*)$/su, '$1…$2') };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
