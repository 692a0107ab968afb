export type { Postgres as Database, Queryable } from '@tickrate/postgres';
export type { Accounts, Keyring } from './accounts.ts';
export { admitIdentity } from './administrators/admit-identity.ts';
export { followGroups, type GroupRole } from './administrators/group-roles.ts';
export {
  acceptInvitations,
  findInvitation,
  findInvitations,
  findInvitationsOf,
  insertInvitation,
  nameOfKey,
  withdrawInvitation,
  withdrawInvitationsOf,
} from './administrators/invitations.ts';
export {
  limitInvitationsOfKeys,
  limitRights,
  type RolePolicies,
  rolesOfProject,
  rolesToGive,
  scopesInProject,
} from './administrators/limit-rights.ts';
export {
  type CreateProject,
  changeRole,
  createOwnedProject,
  findMember,
  findMembers,
  findMembersIn,
  findProjectOwner,
  type Member,
  memberVersion,
  removeMember,
} from './administrators/members.ts';
export {
  ensureInstallationOwner,
  findAdministeredPage,
  findAdministeredProjects,
  findRole,
  hasAdministrator,
  holdRole,
  ownsInstallation,
} from './administrators/roles.ts';
export { findDeviceSecret, isTrustedDevice } from './credentials/devices.ts';
export {
  type AccountAddress,
  beginRegistration,
  checkRegistration,
  findOwnAddress,
  type IssuedCode,
  requestAddressChange,
  requestEnrolment,
  requestReset,
  requestVerification,
} from './credentials/mail-code-requests.ts';
export {
  allowAddressChange,
  codeUnknown,
  confirmAddress,
  type FoundMailCode,
  findMailCode,
  finishRegistration,
  resetPassword,
} from './credentials/mail-codes.ts';
export {
  type CheckedPassword,
  changePassword,
  checkPassword,
  isCurrentPassword,
} from './credentials/passwords.ts';
export { createTokenMemory, spendToken, type TokenMemory } from './credentials/platform-tokens.ts';
export { type Allowance, type Taken, takeOfAddress } from './credentials/throttles.ts';
export {
  countInvitation,
  invitationMails,
  type MailQueue,
  securityMails,
} from './mails/mail-queues.ts';
export { emptyOutbox, findMails, putMail, type StoredMail } from './mails/outbox.ts';
export { type AccountData, readAccountData } from './people/account-data.ts';
export { insertAccount } from './people/accounts.ts';
export { type Address, isPlainAddress, readAddress } from './people/address.ts';
export { eraseAccount, exportAccount } from './people/erase-account.ts';
export { insertIdentity } from './people/identities.ts';
export { leaveProject, peopleRemoval } from './people/leave-project.ts';
export { changeProfile, findOwnAccount, listIdentities, unlinkIdentity } from './people/profile.ts';
export {
  banPlayer,
  endPlayerSession,
  endPlayerSessions,
  resetSecondFactor,
  unbanPlayer,
} from './players/player-acts.ts';
export {
  findPlayerIdentities,
  findPlayerSessions,
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
  readPlayer,
} from './players/players.ts';
export {
  type Actor,
  type AuditAct,
  auditActs,
  countSignIns,
  findAuditEntries,
  type SessionActor,
  type SignInEntry,
  writeAudit,
  writeAuditUnlessErased,
} from './records/audit.ts';
export { type CodeSent, type Pass, recallPass, tryCode } from './second-factor/codes.ts';
export type { AuthenticatorSetup, EnrollingCaller, ProvenEnrolment } from './second-factor/enrolments.ts';
export { removeSecondFactor } from './second-factor/second-factors.ts';
export { beginSessionEnrolment, confirmSessionEnrolment } from './second-factor/session-enrolment.ts';
export { beginEnrolment, checkEnrolment, type EnrolmentFact } from './second-factor/sign-in-enrolment.ts';
export { findAnswer } from './sign-in/answers.ts';
export {
  type CompletedSignIn,
  completeSignIn,
  type DecidedSignIn,
  type SignInOutcome,
} from './sign-in/complete-sign-in.ts';
export {
  type Exchange,
  type ExchangeRow,
  exchangeEndMs,
  findExchange,
  keepExchange,
  openExchange,
} from './sign-in/exchanges.ts';
export {
  endOtherSessions,
  endSession,
  listSessions,
  readSession,
  renewSession,
  signOut,
  switchProject,
} from './sign-in/session-calls.ts';
export { findSession, issueSession, type SessionRow } from './sign-in/sessions.ts';
export type { ConfirmedIdentity, NewSignInAccount, UserInput } from './sign-in/sign-in-account.ts';
export { findIdentityOwners, findSignInAccounts, type SignInAccount } from './sign-in/sign-in-account.ts';
export { makeSignInLink, openLinkSession, type SignInLink } from './sign-in/sign-in-links.ts';
export { migrateAuth } from './store/auth-schema.ts';
export { inRealm } from './store/in-realm.ts';
export { purge } from './store/purge.ts';
