/** Every rule, in the order documents list them: exposure first, then what is not as it looks, then the file itself. */

import type { Rule } from '../judge/rule/rule.js';
import { accountsListed } from './accounts-listed.js';
import { conflictingFlags } from './conflicting-flags.js';
import { devAccount } from './dev-account.js';
import { droppedSetting } from './dropped-setting.js';
import { duplicateSetting } from './duplicate-setting.js';
import { embeddedCommand } from './embedded-command.js';
import { engineReach } from './engine-reach.js';
import { everythingOffered } from './everything-offered.js';
import { expiredSuppression } from './expired-suppression.js';
import { foreignNode } from './foreign-node.js';
import { graphqlBesideList } from './graphql-beside-list.js';
import { homiLeftover } from './homi-leftover.js';
import { ignoredNetwork } from './ignored-network.js';
import { ignoredVariable } from './ignored-variable.js';
import { implicitModules } from './implicit-modules.js';
import { ineffectiveSwitch } from './ineffective-switch.js';
import { inertAddress } from './inert-address.js';
import { inertSetting } from './inert-setting.js';
import { invertedSwitch } from './inverted-switch.js';
import { latentModule } from './latent-module.js';
import { loosePermissions } from './loose-permissions.js';
import { malformedAssignment } from './malformed-assignment.js';
import { malformedFlag } from './malformed-flag.js';
import { malformedSuppression } from './malformed-suppression.js';
import { missingDataDir } from './missing-data-dir.js';
import { missingInterface } from './missing-interface.js';
import { missingModule } from './missing-module.js';
import { opaqueValue } from './opaque-value.js';
import { openEngine } from './open-engine.js';
import { openProfiler } from './open-profiler.js';
import { openSocket } from './open-socket.js';
import { overridingFlag } from './overriding-flag.js';
import { pendingRestart } from './pending-restart.js';
import { plaintextEndpoint } from './plaintext-endpoint.js';
import { policyViolation } from './policy-violation.js';
import { privilegedModule } from './privileged-module.js';
import { publicBind } from './public-bind.js';
import { refusedStart } from './refused-start.js';
import { releaseMismatch } from './release-mismatch.js';
import { removedFlag } from './removed-flag.js';
import { replacedProgram } from './replaced-program.js';
import { secondSource } from './second-source.js';
import { secretInConf } from './secret-in-conf.js';
import { staleRestart } from './stale-restart.js';
import { unboundedWork } from './unbounded-work.js';
import { undeclaredInterface } from './undeclared-interface.js';
import { undeclaredModule } from './undeclared-module.js';
import { unknownFlag } from './unknown-flag.js';
import { unknownModule } from './unknown-module.js';
import { unknownSetting } from './unknown-setting.js';
import { unlockedAccount } from './unlocked-account.js';
import { unmatchableEntry } from './unmatchable-entry.js';
import { unreadConf } from './unread-conf.js';
import { unreadSetting } from './unread-setting.js';
import { unsafeDebug } from './unsafe-debug.js';
import { unusedSuppression } from './unused-suppression.js';
import { wildcardCors } from './wildcard-cors.js';
import { wildcardOrigins } from './wildcard-origins.js';
import { wildcardVhosts } from './wildcard-vhosts.js';

export const rules: readonly Rule[] = [
  everythingOffered,
  privilegedModule,
  policyViolation,
  unsafeDebug,
  unlockedAccount,
  devAccount,
  publicBind,
  openEngine,
  engineReach,
  graphqlBesideList,
  wildcardCors,
  wildcardVhosts,
  wildcardOrigins,
  openProfiler,
  unboundedWork,
  accountsListed,
  openSocket,
  undeclaredModule,
  missingModule,
  undeclaredInterface,
  missingInterface,
  pendingRestart,
  staleRestart,
  plaintextEndpoint,
  foreignNode,
  releaseMismatch,
  implicitModules,
  unknownModule,
  latentModule,
  ineffectiveSwitch,
  invertedSwitch,
  overridingFlag,
  droppedSetting,
  unmatchableEntry,
  malformedAssignment,
  duplicateSetting,
  unreadConf,
  unreadSetting,
  unknownSetting,
  inertSetting,
  inertAddress,
  secondSource,
  replacedProgram,
  homiLeftover,
  conflictingFlags,
  unknownFlag,
  removedFlag,
  malformedFlag,
  refusedStart,
  ignoredNetwork,
  ignoredVariable,
  missingDataDir,
  opaqueValue,
  embeddedCommand,
  secretInConf,
  loosePermissions,
  malformedSuppression,
  expiredSuppression,
  unusedSuppression,
];
