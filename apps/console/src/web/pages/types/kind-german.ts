import type { Words } from '../../texts/define-texts.ts';
import type { kindTexts } from './kind-texts.ts';
import { formats, kindIn } from './kind-words.ts';

export const kindGerman: Words<typeof kindTexts> = {
  kind: kindIn({
    ...formats,
    string: 'Text',
    integer: 'ganze Zahl',
    number: 'Zahl',
    boolean: 'wahr oder falsch',
    object: 'Objekt',
    array: 'Liste',
    map: 'Zuordnung',
    enum: 'feste Werte',
    any: 'beliebig',
    other: 'anderes (JSON)',
    'date-time': 'Zeitpunkt',
    date: 'Tag',
    email: 'E-Mail-Adresse',
    int32: '32 Bit',
    int64: '64 Bit',
    uint64: '64 Bit, ab 0',
  }),
};
