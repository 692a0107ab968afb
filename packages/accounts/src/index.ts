export type { Postgres as Database, Queryable } from '@tickrate/postgres';
export { ensureInstallationOwner } from './administrators/administrators.ts';
export {
  acceptInvitations,
  findInvitation,
  findInvitations,
  type Invitation,
  insertInvitation,
  withdrawInvitation,
  withdrawInvitationsOf,
} from './administrators/invitations.ts';
export {
  addMember,
  changeRole,
  findMember,
  findMembers,
  findProjectOwner,
  type Member,
  type MemberChange,
  memberVersion,
  removeMember,
} from './administrators/members.ts';
export {
  becomeFirstAdministrator,
  claimDefaultProject,
  findAdministeredPage,
  findAdministeredProjects,
  findProjectRoles,
  findRole,
  hasAdministrator,
  holdRole,
  isInvited,
  noteDefaultProject,
  ownsInstallation,
} from './administrators/roles.ts';
export {
  findDeviceSecret,
  forgetDevices,
  insertDeviceSecret,
  isKnownDevice,
  isTrustedDevice,
  seeDevice,
} from './credentials/devices.ts';
export {
  dropMailTokens,
  findMailToken,
  hasMailToken,
  insertMailToken,
  type MailToken,
  type MailTokenKind,
  spendMailToken,
  type TokenLookup,
} from './credentials/mail-tokens.ts';
export { findSafeguards, rehashPassword, setPassword } from './credentials/passwords.ts';
export {
  type Allowance,
  chargeTry,
  forgiveTries,
  type Lockout,
  type Taken,
  takeFrom,
  takeTokens,
} from './credentials/throttles.ts';
export {
  claimInvitationMail,
  type InvitationMail,
  putOffInvitationMail,
  settleInvitationMail,
} from './mails/invitation-mails.ts';
export { emptyOutbox, findMails, putMail, type StoredMail } from './mails/outbox.ts';
export {
  claimNotice,
  leaveNotice,
  type NoticeKind,
  putOffNotice,
  settleNotice,
} from './mails/security-mails.ts';
export { type AccountData, readAccountData } from './people/account-data.ts';
export {
  type AccountRow,
  type AddressHolder,
  changeProfile,
  dropCredentials,
  findAccounts,
  findAddress,
  insertAccount,
  isAddressTaken,
  keepAnswers,
  releaseAddress,
  setVerifiedEmail,
} from './people/accounts.ts';
export { type Address, readAddress } from './people/address.ts';
export { eraseAccount, pseudonymOf } from './people/erase-account.ts';
export {
  archiveIfShut,
  findOwners,
  type IdentityKey,
  insertIdentity,
  listIdentities,
  moveIdentity,
  unlinkDevices,
  unlinkIdentity,
} from './people/identities.ts';
export { findRememberedTokens, rememberToken } from './platform-tokens/remembered-tokens.ts';
export { createStoredSpentTokens } from './platform-tokens/spent-tokens.ts';
export { claimTokenChecks, isTokenBeingChecked, releaseTokenCheck } from './platform-tokens/token-checks.ts';
export { deleteProjectPeople } from './players/delete-players.ts';
export {
  type Banning,
  banPlayer,
  type PlayerChange,
  resetSecondFactor,
  unbanPlayer,
} from './players/player-acts.ts';
export {
  findPlayerIdentities,
  findPlayerSession,
  findPlayerSessions,
  type PlayerIdentity,
  type PlayerSession,
} from './players/player-records.ts';
export {
  findPlayer,
  findPlayers,
  findPlayersByAddress,
  findPlayersByPlatform,
  type Player,
  playerVersion,
} from './players/players.ts';
export { type AuditAct, auditActs, insertAudit } from './records/audit.ts';
export { countSignIns, findAuditEntries, type SignInEntry } from './records/audit-page.ts';
export {
  beginEnrolment,
  chargeEnrolments,
  dropEnrolments,
  findEnrolments,
  findRecentEnrolment,
  type PendingEnrolment,
  passEnrolment,
} from './second-factor/enrolments.ts';
export { findPass, keepPassedCode, type Pass, spendPasses } from './second-factor/passed-codes.ts';
export {
  beginTotp,
  chargeSecondFactor,
  confirmTotp,
  countRecoveryCodes,
  dropSecondFactor,
  enrolTotp,
  findTotp,
  forgiveSecondFactor,
  replaceRecoveryCodes,
  spendRecoveryCode,
  spendStep,
} from './second-factor/second-factors.ts';
export { findAnswer, keepAnswer } from './sign-in/answers.ts';
export {
  chargeCode,
  completeExchange,
  type ExchangeRow,
  findExchange,
  forgiveCodes,
  insertExchange,
  touchExchange,
} from './sign-in/exchanges.ts';
export { hashLinkToken, makeSignInLink, type SignInLink } from './sign-in/make-sign-in-link.ts';
export { sessionLimits } from './sign-in/session-limits.ts';
export {
  endSessions,
  findSession,
  insertSession,
  listSessions,
  lockAccounts,
  type Profile,
  placeSession,
  renewSession,
  type SessionRow,
} from './sign-in/sessions.ts';
export { useSignInLink } from './sign-in/sign-in-links.ts';
export { type InRealm, inRealm } from './store/in-realm.ts';
export { migrateAuth } from './store/migrate-auth.ts';
export { purge } from './store/purge.ts';
