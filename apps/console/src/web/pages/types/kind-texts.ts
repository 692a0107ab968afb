import { defineTexts } from '../../texts/define-texts.ts';
import { formats, kindIn } from './kind-words.ts';

/** What a member holds, in words. An unknown format keeps its name. */
export const kindTexts = defineTexts('kind', {
  kind: kindIn({
    ...formats,
    string: 'text',
    integer: 'integer',
    number: 'number',
    boolean: 'true or false',
    object: 'object',
    array: 'list',
    map: 'map',
    enum: 'fixed values',
    any: 'anything',
    other: 'other (JSON)',
    'date-time': 'time',
    date: 'day',
    email: 'e-mail address',
    int32: '32 bits',
    int64: '64 bits',
    uint64: '64 bits, from 0',
  }),
});
