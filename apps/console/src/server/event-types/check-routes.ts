import { personalScope, SystemError } from '@tickrate/contract';
import type { CompiledDeclaration } from '@tickrate/events';
import { createFindReplayType, type Quarantine } from '@tickrate/pipeline';
import type { EventTypeRecord } from '@tickrate/registry';
import type { ConsoleParts } from '../../parts.ts';
import { requireScope } from '../calls/caller.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { checkDeclaration } from './check-operations.ts';
import { refusalError, requireExactIntegers } from './declare.ts';
import { type Validated, validateEventText } from './validate-event-text.ts';

export function createCheckRoutes({ registry, quarantine, now }: ConsoleParts): ManagedRoute[] {
  return [
    managed(checkDeclaration, async ({ caller, params: { name }, body, bytes }) => {
      const { projectId } = caller;
      const { declaration, texts = [], quarantined } = body;
      if (quarantined !== undefined) {
        for (const scope of ['quarantine:read', personalScope]) requireScope(caller, scope);
      }
      requireExactIntegers(bytes);
      const read = await registry.readDeclaration({ projectId, declaration });
      if (!read.ok) throw refusalError({ ok: false, reason: 'declarationFaults', faults: read.faults });
      const [found] = await registry.eventTypePage({ projectId, name, limit: 1 });
      const drafted = withDraft(found, name, declaration);
      const { version } = drafted;
      const checkedTexts = await Array.fromAsync(texts, (text) => checkText(read.declaration, text));
      if (quarantined === undefined) return { version, texts: checkedTexts, quarantined: null };
      const findReplayType = createFindReplayType(async () => [drafted]);
      const { since, until, ...filter } = quarantined;
      const checked = await quarantine.check(
        {
          ...filter,
          projectId,
          type: name,
          ...(since !== undefined && { sinceMs: Date.parse(since) }),
          ...(until !== undefined && { untilMs: Date.parse(until) }),
        },
        { findType: findReplayType, now },
      );
      return { version, texts: checkedTexts, quarantined: show(checked) };
    }),
  ];
}

/** The type as it would be after the draft was declared. */
function withDraft(found: EventTypeRecord | undefined, name: string, declaration: object) {
  const before = found?.versions ?? [];
  const version = (before.at(-1)?.version ?? 0) + 1;
  return { name, version, versions: [...before, { version, status: 'available' as const, declaration }] };
}

/** A text that is no JSON is a fault of this text, not of the call. */
async function checkText(declaration: CompiledDeclaration, text: string): Promise<Validated> {
  try {
    return await validateEventText(declaration, Buffer.from(text));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const { reason, message, fields } = error;
    const fault = { domain: 'event', locationType: 'body', location: '' };
    return { valid: false, errors: [{ ...fault, message: fields ?? message, reason }] };
  }
}

function show({ checked, passed, isComplete, versions, refusals }: Awaited<ReturnType<Quarantine['check']>>) {
  return {
    checked,
    passed,
    complete: isComplete,
    versions: Array.from(versions, ([version, events]) => ({ version, events })),
    refusals,
  };
}
