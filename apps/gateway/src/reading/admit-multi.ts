import { limits, malformedJson, SystemError } from '@tickrate/contract';
import { createRowFrame, plainEnvelope, type RowFrame, type RowSender } from '@tickrate/events';
import type { FoundType, SendableType } from '../calls/event-types.ts';
import type { NamedType } from '../calls/named-types.ts';
import { faultOf, type RejectedSpan } from '../rejecting/rejected-span.ts';
import { bodyFault, createRejections, doesNotMatch, type Rejection } from '../rejecting/rejection.ts';
import { type Admission, type AdmittedEvent, admitEvent, type Rows } from './admit.ts';
import { lineFault, type MultiBody } from './multi-body.ts';
import type { FaultyElement, ReadElement } from './multi-element.ts';
import type { MultiElement } from './plain-element.ts';
import { type Sliced, sliceBytes } from './sliced.ts';

/** An element that was accepted, in the order of the rows. */
export interface AcceptedElement {
  readonly eventId: string | null;
  /** The stretch of elements without an id to which it belongs, counted over the whole body, accepted or not. */
  readonly stretch: number;
}

export interface MultiAdmission extends Admission {
  readonly accepted: readonly AcceptedElement[];
  readonly usesDeprecated: boolean;
}

export interface MultiTypes {
  readonly sender: RowSender;
  readonly found: ReadonlyMap<NamedType, FoundType>;
  readonly atomic: boolean;
}

type FoundFrame =
  | { readonly ok: true; readonly frame: RowFrame; readonly type: SendableType }
  | { readonly ok: false; readonly reason: string; readonly member: string; readonly message: string };

/** Writes the rows of the elements that match. With `atomic`, all elements match or there is an error. */
export function* admitMulti(rows: Rows, multi: MultiBody, types: MultiTypes): Sliced<MultiAdmission> {
  const taken = new TakenElements(types.atomic);
  try {
    yield* admitElements(rows, multi, { taken, frames: framesOf(types) });
    return taken.admission(taken.faults.length > 0 ? doesNotMatch(taken.faults) : null);
  } catch (error) {
    if (error instanceof SystemError) return taken.admission(error);
    throw error;
  }
}

interface AdmittingElements {
  readonly taken: TakenElements;
  readonly frames: ReadonlyMap<NamedType, FoundFrame>;
}

function* admitElements(rows: Rows, multi: MultiBody, { taken, frames }: AdmittingElements): Sliced<void> {
  let pauseAt = sliceBytes;
  for (const [n, read] of multi.elements.entries()) {
    const index = multi.firstIndex + n;
    const named = read.ok ? frames.get(read.element.type) : undefined;
    const place = { multi, index, named, mostFaults: taken.mostFaults() };
    const admitted: AdmittedEvent | FaultyElement = read.ok ? admitElement(rows, read.element, place) : read;
    taken.take(index, { read, admitted, named });
    if (taken.isComplete) return;
    if (admitted.end > pauseAt) {
      yield;
      pauseAt = admitted.end + sliceBytes;
    }
  }
}

interface TakenElement {
  readonly read: ReadElement;
  readonly admitted: AdmittedEvent | FaultyElement;
  readonly named: FoundFrame | undefined;
}

/** The results of the elements so far. */
class TakenElements {
  readonly faults: Rejection['errors'][number][] = [];
  readonly #accepted: AcceptedElement[] = [];
  readonly #rejected: RejectedSpan[] = [];
  readonly #rejections = createRejections();
  readonly #atomic: boolean;
  #usesDeprecated = false;
  #stretch = 0;

  constructor(atomic: boolean) {
    this.#atomic = atomic;
  }

  admission(error: SystemError | null): MultiAdmission {
    return {
      error,
      accepted: this.#accepted,
      rejections: this.#rejections.list,
      rejected: this.#rejected,
      usesDeprecated: this.#usesDeprecated,
    };
  }

  mostFaults(): number {
    return this.#atomic ? limits.reportedFaults - this.faults.length : this.#rejections.mostFaults();
  }

  /** Everything is rejected, and the answer lists no further faults. */
  get isComplete(): boolean {
    return this.faults.length >= limits.reportedFaults;
  }

  take(index: number, taken: TakenElement): void {
    const { read, admitted, named } = taken;
    const eventId = read.ok ? read.element.eventId : null;
    if (eventId !== null) this.#stretch++;
    if (!admitted.ok) {
      this.#rejected.push(rejectedElement(index, taken, admitted));
      this.#refuse(index, admitted);
    } else {
      this.#accepted.push({ eventId, stretch: this.#stretch });
      this.#usesDeprecated ||= named?.ok === true && named.type.isDeprecated;
    }
  }

  #refuse(index: number, { errors, error }: Pick<FaultyElement, 'errors' | 'error'>): void {
    if (!this.#atomic) this.#rejections.add(index, errors);
    else if (error !== undefined) throw error;
    else this.faults.push(...errors);
  }
}

function rejectedElement(
  index: number,
  { read, named }: TakenElement,
  { errors }: Pick<FaultyElement, 'errors'>,
): RejectedSpan {
  if (!read.ok) {
    const type = { type: '', version: 0, versionNamed: false, isDeclared: false };
    const { at, end } = read;
    return {
      ...type,
      ...faultOf({ base: `/${index}`, errors }),
      form: 'element',
      at,
      end,
      envelope: plainEnvelope,
    };
  }
  const { type, eventId, occurredMs, eventAt: at, eventEnd: end } = read.element;
  const fault = faultOf({ base: `/${index}/event`, errors });
  const isKnown = named?.ok === true;
  const reason = named?.ok === false ? named.reason : fault.reason;
  return {
    type: type.name,
    version: isKnown ? named.type.version : (type.version ?? 0),
    versionNamed: type.version !== null,
    isDeclared: reason !== 'eventTypeNotFound',
    ...fault,
    reason,
    form: 'event',
    at,
    end,
    envelope: { eventId, occurredMs },
  };
}

function framesOf({ sender, found }: MultiTypes): ReadonlyMap<NamedType, FoundFrame> {
  return new Map([...found].map(([named, answer]) => [named, frameOf(sender, answer)]));
}

function frameOf(sender: RowSender, found: FoundType): FoundFrame {
  if (found.ok) return { ...found, frame: createRowFrame(sender, found.type) };
  const member = found.error.reason === 'eventTypeNotFound' ? 'eventType' : 'eventTypeVersion';
  const { reason, message, fields } = found.error;
  return { ok: false, reason, member, message: fields === undefined ? message : `${message} (${fields})` };
}

interface ElementPlace {
  readonly multi: MultiBody;
  readonly index: number;
  readonly named: FoundFrame | undefined;
  readonly mostFaults: number;
}

function admitElement(
  rows: Rows,
  element: MultiElement,
  { multi, index, named, mostFaults }: ElementPlace,
): AdmittedEvent {
  const { body, isLines } = multi;
  const { eventAt, eventEnd, eventId, occurredMs } = element;
  if (named === undefined) throw new Error('a type that an element names was not looked up');
  if (!named.ok) {
    const errors = [bodyFault(`/${index}/${named.member}`, 'unknown', named.message)];
    return { ok: false, end: eventEnd, errors };
  }
  const envelope = { eventId, occurredMs };
  const place = { body, at: eventAt, pointer: `/${index}/event`, envelope, mostFaults };
  let admitted: AdmittedEvent;
  try {
    admitted = admitEvent(rows, named.frame, place);
  } catch (error) {
    if (!isLines) throw error;
    return { ok: false, end: eventEnd, errors: [lineFault(place.pointer, error, body)] };
  }
  if (admitted.end !== eventEnd) throw malformedJson(admitted.end);
  return admitted;
}
