import { defineTexts } from '../../texts/define-texts.ts';

export const overviewTexts = defineTexts(
  {
    title: 'Overview',
  },
  {
    title: 'Übersicht',
  },
);
