export { type AccountData, readAccountData } from './account-data.ts';
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
} from './accounts.ts';
export { type Address, readAddress } from './address.ts';
export { ensureInstallationOwner } from './administrators.ts';
export { findAnswer, keepAnswer } from './answers.ts';
export { type AuditAct, auditActs, insertAudit } from './audit.ts';
export { findAuditEntries, type SignInEntry } from './audit-page.ts';
export { createDatabase, type Database, isDuplicate, type Queryable } from './database.ts';
export {
  findDeviceSecret,
  forgetDevices,
  insertDeviceSecret,
  isKnownDevice,
  isTrustedDevice,
  seeDevice,
} from './devices.ts';
export {
  beginEnrolment,
  chargeEnrolments,
  dropEnrolments,
  findEnrolments,
  type PendingEnrolment,
  passEnrolment,
} from './enrolments.ts';
export { eraseAccount, pseudonymOf } from './erase-account.ts';
export {
  chargeCode,
  completeExchange,
  type ExchangeRow,
  findExchange,
  forgiveCodes,
  insertExchange,
  touchExchange,
} from './exchanges.ts';
export {
  archiveIfShut,
  findOwners,
  insertIdentity,
  listIdentities,
  moveIdentity,
  unlinkIdentity,
} from './identities.ts';
export { type InRealm, inRealm } from './in-realm.ts';
export {
  claimInvitationMail,
  type InvitationMail,
  putOffInvitationMail,
  settleInvitationMail,
} from './invitation-mails.ts';
export {
  acceptInvitations,
  findInvitation,
  findInvitations,
  type Invitation,
  insertInvitation,
  withdrawInvitation,
  withdrawInvitationsOf,
} from './invitations.ts';
export {
  dropMailTokens,
  findMailToken,
  insertMailToken,
  type MailToken,
  type MailTokenKind,
  spendMailToken,
  type TokenLookup,
} from './mail-tokens.ts';
export {
  addMember,
  changeRole,
  findMember,
  findMembers,
  type Member,
  type MemberChange,
  memberVersion,
  removeMember,
} from './members.ts';
export { migrateAuth } from './migrate-auth.ts';
export { claimNotice, leaveNotice, type NoticeKind, putOffNotice, settleNotice } from './notices.ts';
export { emptyOutbox, findMails, putMail, type StoredMail } from './outbox.ts';
export { findPass, keepPassedCode, type Pass, spendPasses } from './passed-codes.ts';
export { findSafeguards, rehashPassword, setPassword } from './passwords.ts';
export { type Banning, banPlayer, type PlayerChange, resetSecondFactor, unbanPlayer } from './player-acts.ts';
export {
  findPlayerIdentities,
  findPlayerSession,
  findPlayerSessions,
  type PlayerIdentity,
  type PlayerSession,
} from './player-records.ts';
export {
  findPlayer,
  findPlayers,
  findPlayersByAddress,
  findPlayersByPlatform,
  type Player,
  playerVersion,
} from './players.ts';
export { purge } from './purge.ts';
export { createId, type RandomBytes } from './record-ids.ts';
export { findRememberedTokens, rememberToken } from './remembered-tokens.ts';
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
} from './roles.ts';
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
} from './second-factors.ts';
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
} from './sessions.ts';
export { createStoredSpentTokens } from './spent-tokens.ts';
export {
  type Allowance,
  chargeTry,
  forgiveTries,
  type Lockout,
  type Taken,
  takeFrom,
  takeTokens,
} from './throttles.ts';
export { claimTokenChecks, isTokenBeingChecked, releaseTokenCheck } from './token-checks.ts';
