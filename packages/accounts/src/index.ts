export type { Postgres as Database, Queryable } from '@tickrate/postgres';
export type { AccountsDeps, Keyring } from './accounts-deps.ts';
export { createOwnedProject } from './administrators/create-owned-project.ts';
export {
  acceptInvitations,
  findInvitation,
  findInvitations,
  findInvitationsOf,
  type Invitation,
  insertInvitation,
  withdrawInvitation,
  withdrawInvitationsOf,
} from './administrators/invitations.ts';
export {
  changeRole,
  findMember,
  findMembers,
  findMembersIn,
  findProjectOwner,
  type Member,
  type MemberChange,
  memberVersion,
  removeMember,
} from './administrators/members.ts';
export type { CreateProject } from './administrators/place-administrator.ts';
export {
  findAdministeredPage,
  findRole,
  holdRole,
  ownsInstallation,
} from './administrators/roles.ts';
export { type Accounts, createAccounts } from './create-accounts.ts';
export type { FoundMailCode, VerifyOutcome } from './credentials/mail-code-calls.ts';
export type { AccountAddress, IssuedCode } from './credentials/mail-code-requests.ts';
export type { CheckedPassword } from './credentials/password-calls.ts';
export type { Allowance, Taken } from './credentials/throttles.ts';
export type { InvitationMail } from './mails/invitation-mails.ts';
export type { MailQueue } from './mails/mail-calls.ts';
export { findMails, putMail, type StoredMail } from './mails/outbox.ts';
export { type AccountData, readAccountData } from './people/account-data.ts';
export { insertAccount } from './people/accounts.ts';
export { type Address, isPlainAddress, readAddress } from './people/address.ts';
export { insertIdentity } from './people/identities.ts';
export type { TokenMemory } from './platform-tokens/token-calls.ts';
export { deleteProjectPeople } from './players/delete-players.ts';
export { endPlayerSession, endPlayerSessions } from './players/end-player-sessions.ts';
export { banPlayer, type PlayerChange, resetSecondFactor, unbanPlayer } from './players/player-acts.ts';
export {
  findPlayerIdentities,
  findPlayerSessions,
  type PlayerIdentity,
  type PlayerSession,
} from './players/player-records.ts';
export {
  findPlayer,
  findPlayerNames,
  findPlayers,
  findPlayersByAddress,
  findPlayersByPlatform,
  type Player,
  playerVersion,
} from './players/players.ts';
export { type Actor, type AuditAct, auditActs, insertAudit, type SessionActor } from './records/audit.ts';
export { countSignIns, findAuditEntries, type SignInEntry } from './records/audit-page.ts';
export type { CodeSent } from './second-factor/code-calls.ts';
export type { CheckedEnrolment, EnrollingCaller, ProvenEnrolment } from './second-factor/enrolment-calls.ts';
export type { Pass } from './second-factor/passed-codes.ts';
export type { AuthenticatorSetup } from './second-factor/second-factor-calls.ts';
export type { CompletedSignIn, SignInCompletion, SignInOutcome } from './sign-in/complete-sign-in.ts';
export type { Exchange } from './sign-in/exchange-calls.ts';
export type { ExchangeRow } from './sign-in/exchanges.ts';
export type { UserInput } from './sign-in/keep-user-input.ts';
export type { ConfirmedIdentity } from './sign-in/link-identities.ts';
export { makeSignInLink, type SignInLink } from './sign-in/links/make-sign-in-link.ts';
export {
  type LinkSessionDeps,
  type LinkSessionOutcome,
  openLinkSession,
} from './sign-in/links/open-link-session.ts';
export { insertSession, type SessionRow } from './sign-in/sessions/sessions.ts';
export type { NewSignInAccount } from './sign-in/sign-in-account.ts';
export type { SignInAccount } from './sign-in/sign-in-calls.ts';
export { migrateAuth } from './store/auth-schema.ts';
export { inRealm } from './store/in-realm.ts';
