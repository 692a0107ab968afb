import { layoutGerman } from '../layout/layout-german.ts';
import { accountGerman } from '../pages/account/account-german.ts';
import { dashboardsGerman } from '../pages/dashboards/dashboards-german.ts';
import { exploreGerman } from '../pages/explore/explore-german.ts';
import { liveGerman } from '../pages/live/live-german.ts';
import { attentionGerman } from '../pages/overview/attention-german.ts';
import { demoGerman } from '../pages/overview/demo-german.ts';
import { overviewGerman } from '../pages/overview/overview-german.ts';
import { pipelineGerman } from '../pages/pipeline/pipeline-german.ts';
import { playersGerman } from '../pages/players/players-german.ts';
import { quarantineGerman } from '../pages/quarantine/quarantine-german.ts';
import { actGerman, auditGerman } from '../pages/settings/audit/audit-german.ts';
import { policyGerman, providerGerman } from '../pages/settings/policies/policy-german.ts';
import { areaGerman, roleGerman } from '../pages/settings/roles/role-german.ts';
import { settingsGerman } from '../pages/settings/settings-german.ts';
import { signInGerman } from '../pages/sign-in/sign-in-german.ts';
import { faultAdviceGerman, sqlGerman } from '../pages/sql/sql-german.ts';
import { kindGerman, typesGerman } from '../pages/types/types-german.ts';
import { commonGerman } from './common-german.ts';
import { reasonGerman } from './fault-german.ts';
import { ownProblemGerman } from './problem-german.ts';
import { valueGerman } from './value-german.ts';

/** The translations, by the name of their English texts. Only readers of German load this module. */
export const translations = {
  account: accountGerman,
  act: actGerman,
  area: areaGerman,
  attention: attentionGerman,
  audit: auditGerman,
  common: commonGerman,
  dashboards: dashboardsGerman,
  demo: demoGerman,
  explore: exploreGerman,
  faultAdvice: faultAdviceGerman,
  kind: kindGerman,
  layout: layoutGerman,
  live: liveGerman,
  ownProblem: ownProblemGerman,
  overview: overviewGerman,
  pipeline: pipelineGerman,
  players: playersGerman,
  policy: policyGerman,
  provider: providerGerman,
  quarantine: quarantineGerman,
  reason: reasonGerman,
  role: roleGerman,
  settings: settingsGerman,
  signIn: signInGerman,
  sql: sqlGerman,
  types: typesGerman,
  value: valueGerman,
} as const;

export { stepsGerman } from '../pages/overview/attention-german.ts';
export { commentGerman } from '../pages/sql/side-panel/comment-german.ts';
export { changeGerman } from '../pages/types/change-german.ts';
export { faultGerman } from './fault-german.ts';
export { problemGerman } from './problem-german.ts';
