import { counted } from '../../texts/counted.ts';
import { defineTexts } from '../../texts/define-texts.ts';

export const quarantineTexts = defineTexts('quarantine', {
  counts: 'By type and reason',
  choose: 'Choose a line to mend and replay its events',
  history: 'Rejected events and dead letters over time',
  historyText: 'All that were refused, also those that were replayed or deleted since.',
  version: 'Version',
  reason: 'Reason',
  dead: 'Dead letter',
  kept: 'Samples',
  unsampled: 'No sample',
  unsampledText: (count: string) =>
    `${counted(count, 'event has no sample and cannot', 'events have no sample and cannot')} be replayed. Of many rejected events of one type and reason, only some are kept. Discard their line to clear the list.`,
  last: 'Last',
  message: 'What is wrong',
  value: 'Sent',
  emptyTitle: 'Nothing is in quarantine',
  emptyText:
    'Events that do not match their declaration are kept here, with the reason. None of this time range waits.',
  all: 'Show all',
  filter: (text: string) => `Filter: ${text}`,
  replay: 'Replay these',
  replayed: (replayed: string, refused: string) => `${replayed} replayed, ${refused} still refused`,
  stillRefused: (refused: string) =>
    `${refused} still refused: declare a version that accepts them below, with “Declare and replay”`,
  mend: 'Mend and replay',
  mendText: 'Change the declaration until the samples pass, declare it, then replay.',
  declaration: 'Declaration (JSON Schema)',
  acceptText: (members: string) => `Accept integers sent as text in ${members}`,
  retyped:
    'As text, the member can no longer be summed or compared as a number, and clients of the version before are refused. To accept integers that were sent as text, keep `integer` with `"format": "int64"`.',
  unchanged: 'No change yet',
  checkAll: (passed: string, checked: string) => `${passed} of ${checked} samples would pass`,
  checkNewest: (passed: string, checked: string) => `${passed} of the newest ${checked} samples would pass`,
  checkNone: 'No sample waits. Nothing is left to check.',
  checkHidden:
    'Your role does not show personal data. So the samples are not checked here: declare the type, then replay.',
  checkNamed: (events: string, version: string) =>
    `Samples that name version ${version}: ${events}. A replay checks them against that version as long as it is not retired.`,
  checkRetire: 'Retire it',
  checkShow: 'Show',
  sums: 'Replays of the last 24 hours',
  sumsText: 'Each rejected event is counted once. The figures update automatically.',
  sumsWaiting: 'in quarantine',
  sumsQueued: 'replayed, on the way',
  sumsStored: 'stored',
  sumsLeftOut: 'repeats or dead letters',
  declare: 'Declare and replay',
  discardTitle: 'Discard these events',
  discardText: 'All kept events of this filter are deleted for good. They can no longer be replayed.',
  discarded: (count: string) => `${counted(count, 'event was', 'events were')} discarded`,
  fault: 'The fault',
  body: 'Sent body',
  hiddenBody: 'The body is personal data. Your role does not show it.',
  truncated: 'Only the beginning is kept.',
  sdk: 'SDK',
});
