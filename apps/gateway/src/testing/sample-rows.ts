import { randomFillSync } from 'node:crypto';
import { SystemError } from '@tickrate/contract';
import {
  compileDeclaration,
  createEventIds,
  createRowFrame,
  type DecodedRow,
  type RowFrame,
  type RowSender,
  RowWriter,
  readRows,
} from '@tickrate/events';
import type { SendableType } from '../calls/event-types.ts';
import type { Admission, Rows } from '../reading/admit.ts';
import { finish, type Sliced } from '../reading/sliced.ts';

export const receivedMs = Date.UTC(2026, 5, 1, 12);

/** The events of the admission tests. */
export const sampleSender: RowSender = {
  projectId: 'p-0123456789ab',
  keyKind: 'public',
  keyLine: '0192f0c0-7d2e-7000-8000-000000000001',
  sessionId: '',
  accountId: '',
  clientAddress: '',
  sdkName: '',
  sdkVersion: '',
  receivedMs,
  skewMs: 0,
};

export const levelDeclaration = {
  type: 'object',
  properties: {
    level: { type: 'integer', minimum: 0 },
    name: { type: 'string' },
    at: { type: 'string', format: 'date-time', 'x-occurred-at': true },
    list: {
      type: 'array',
      items: {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`m${n}`, { type: 'integer' }])),
      },
    },
  },
  required: ['level'],
};

export function sampleType(name = 'level', declaration: unknown = levelDeclaration): SendableType {
  const result = compileDeclaration(declaration);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  const { codec, hasOccurredAt } = result.declaration;
  return { name, version: 1, codec: codec(), hasOccurredAt, isDeprecated: false };
}

export function sampleFrame(type = sampleType()): RowFrame {
  return createRowFrame(sampleSender, type);
}

export function newRows(): Rows {
  return {
    writer: new RowWriter(1024),
    starts: [],
    ids: createEventIds(randomFillSync),
  };
}

export function decodedRows({ writer }: Pick<Rows, 'writer'>): DecodedRow[] {
  return [...readRows(writer.bytes.subarray(0, writer.at))];
}

/** Throws the error of an admission. */
export function accepted<T extends Admission>(admission: T): T {
  if (admission.error !== null) throw admission.error;
  return admission;
}

/** The error of a request with these rows. */
export function refusalOf(work: () => unknown): SystemError {
  try {
    work();
  } catch (error) {
    if (error instanceof SystemError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** Does work that would pause, and counts its slices. */
export function slicesOf<T>(work: Sliced<T>): { slices: number; result: T } {
  let slices = 1;
  function* counted(): Sliced<T> {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      slices++;
      yield;
    }
  }
  return { result: finish(counted()), slices };
}
