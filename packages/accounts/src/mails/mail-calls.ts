import type { AccountsDeps } from '../accounts-deps.ts';
import { type Allowance, takeFrom } from '../credentials/throttles.ts';
import { inRealm } from '../store/in-realm.ts';
import {
  claimInvitationMail,
  type InvitationMail,
  putOffInvitationMail,
  settleInvitationMail,
} from './invitation-mails.ts';
import { emptyOutbox, putMail } from './outbox.ts';
import {
  claimSecurityMail,
  putOffSecurityMail,
  type SecurityMail,
  settleSecurityMail,
} from './security-mails.ts';

/**
 * Mails that are due, of all realms. Only the claimer of a mail sends it. A claimed mail is due again if the claimer ends
 * without settling it: then it may be sent twice.
 */
export interface MailQueue<Mail> {
  /** Null if none is due. */
  claim(): Promise<Mail | null>;
  /** The mail server has accepted it. */
  settle(mail: Mail): Promise<void>;
  /** The mail server has not accepted it: it is due again later. */
  putOff(mail: Mail): Promise<void>;
}

interface UnsentMail {
  readonly accountId: string | null;
  readonly to: string;
  readonly subject: string;
  /** Sealed, because it contains codes. */
  readonly body: Buffer;
}

/** For all projects together, so that invitations cannot fill a mailbox. Counted apart from the mails of sign-in. */
const perAddress: Allowance = { burst: 5, perSecond: 5 / 3_600 };

export function createMailCalls({ db, keyring, now, newId }: AccountsDeps) {
  const invitations: MailQueue<InvitationMail> = {
    claim: () => claimInvitationMail(db, now()),
    settle: (mail) => settleInvitationMail(db, mail, now()),
    putOff: (mail) => putOffInvitationMail(db, mail, now()),
  };
  const securityMails: MailQueue<SecurityMail> = {
    claim: () => claimSecurityMail(db, now()),
    settle: (mail) => settleSecurityMail(db, mail),
    putOff: (mail) => putOffSecurityMail(db, mail, now()),
  };
  return {
    invitations,
    securityMails,

    /** Counts an invitation. False if its address has received too many. */
    async countInvitation({ folded }: InvitationMail): Promise<boolean> {
      const asked = [{ bucket: keyring.mac('invitation mails', folded), allowance: perAddress }];
      return (await takeFrom(db, asked, { nowMs: now(), count: 1 })) === null;
    },

    /** For an installation without a mail server. */
    putInOutbox: (realm: string, mail: UnsentMail) =>
      putMail(inRealm(db, realm), { ...mail, id: newId(), sentMs: now() }),

    /** For all realms: with a mail server, only the receiver can read a mail. */
    emptyOutbox: () => emptyOutbox(db),
  };
}
