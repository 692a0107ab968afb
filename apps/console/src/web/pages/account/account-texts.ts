import { defineTexts } from '../../texts/define-texts.ts';

export const accountTexts = defineTexts('account', {
  title: 'Your account',
  noAddress: 'no address',
  unverified: 'not confirmed',
  sessions: 'Your sessions',
  sessionsText:
    'Every place where this account is signed in. If you do not know one, end it and reset your password at the sign-in.',
  thisSession: 'this browser',
  started: 'Signed in',
  expires: 'Ends',
  how: 'With',
  endOf: (start: string) => `End the session of ${start}`,
  endOthers: 'End all others',
  ended: 'The session has ended',
  endedOthers: (count: string) => `Ended: ${count}`,
  factorOn: 'On',
  factorOff: 'Off',
  factorText:
    'With it, a sign-in needs a code of your authenticator app besides the password. A stolen password is then not enough.',
  factorBegin: 'Set up',
  mailSent: 'We mailed a code to',
  mailReason: 'Only the owner of this mailbox can set up a second factor. A stolen password is not enough.',
  mailCodeHelp: 'It is valid for 30 minutes.',
  mailWrong: 'This is not the code of the mail.',
  mailExpired: 'This code has expired. We mailed a new one.',
  mailSentAgain: 'Another mail is on its way, at most one a minute. Earlier codes stay valid.',
  mailAgain: 'Send again',
  factorConfirm: 'Turn on',
  factorWarning: 'Turning it on ends your other sessions.',
  factorRemove: 'Remove',
  factorRemoveText: 'From then on, the password alone signs you in. Your recovery codes stop working.',
  factorRemoved: 'The second factor is removed',
  recent:
    'For this, sign out and in again: it needs a sign-in with password that is less than 15 minutes old.',
});
