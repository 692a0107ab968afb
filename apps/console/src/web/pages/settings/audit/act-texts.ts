import type { AuditedAct } from '../../../../operations.ts';
import { defineTexts } from '../../../texts/define-texts.ts';

type ActTexts = Readonly<Record<AuditedAct, string>>;

// Invariant (Management): Every action of the audit trail has a sentence in each language

/** What each action of the trail did. An action without a text does not compile. */
export const actTexts = defineTexts('act', {
  accountCreated: 'Created the account',
  accountErased: 'Asked to delete the account',
  accountExported: 'Exported the data of the account',
  banPlayer: 'Banned a player',
  createDashboard: 'Created a dashboard',
  createKey: 'Created an API key',
  createProject: 'Created a project',
  createSavedQuery: 'Saved a query',
  createShare: 'Shared a dashboard by a link',
  declareEventType: 'Declared a version of an event type',
  deleteDashboard: 'Deleted a dashboard',
  deleteProject: 'Deleted the project',
  deleteSavedQuery: 'Deleted a saved query',
  editDashboard: 'Changed a dashboard',
  editKey: 'Changed an API key',
  editMember: 'Changed the role of a member',
  editProject: 'Changed the project',
  editSavedQuery: 'Changed a saved query',
  emailChanged: 'Changed the e-mail address',
  emailVerified: 'Verified the e-mail address',
  endPlayerSession: 'Ended a session of a player',
  endPlayerSessions: 'Ended all sessions of a player',
  erasePlayer: 'Erased a player',
  exportPlayer: 'Exported the data of a player',
  identityLinked: 'Linked a way to sign in',
  identityMoved: 'Moved a way to sign in to another account',
  identityUnlinked: 'Unlinked a way to sign in',
  importDeclarations: 'Declared several event types',
  inviteMember: 'Invited an administrator',
  passwordChanged: 'Changed the password',
  passwordReset: 'Reset the password by mail',
  projectCreated: 'Created a project',
  projectDeleted: 'Deleted a project',
  projectSwitched: 'Switched to this project',
  purgeQuarantined: 'Deleted rejected events',
  removeDemo: 'Removed the demo',
  removeMember: 'Removed a member',
  replayQuarantined: 'Replayed rejected events',
  resetPlayerSecondFactor: 'Removed the second factor of a player',
  revokeKey: 'Revoked an API key',
  revokeShare: 'Revoked the link to a dashboard',
  rotateKey: 'Rotated an API key',
  secondFactorEnrolled: 'Set up a second factor',
  secondFactorRemoved: 'Removed the second factor',
  sessionEnded: 'Signed out',
  sessionsEnded: 'Ended other sessions',
  setPolicy: 'Changed a policy',
  setVersionStatus: 'Changed the status of a version',
  signIn: 'Signed in',
  signInRefused: 'Sign-in was refused',
  signInRepeated: 'Repeated the answer to a sign-in',
  startDemo: 'Started the demo',
  unbanPlayer: 'Lifted a ban',
  withdrawInvitation: 'Withdrew an invitation',
} satisfies ActTexts);

export function isKnownAct(act: string): act is AuditedAct {
  return Object.hasOwn(actTexts.english, act);
}
