import { describe, expect, test } from 'vitest';
import { createAppRouter, type AppRouterDependencies } from '../../src/api/app-router.ts';
import type { StepUpRule } from '../../src/platform/step-up-gate.ts';

interface Described {
  readonly _def: { readonly type: string; readonly meta?: { readonly stepUp?: StepUpRule } };
}

// Building the router uses none of its dependencies.
const { procedures } = createAppRouter({} as AppRouterDependencies)._def;
const all = Object.entries(procedures as unknown as Readonly<Record<string, Described>>);

const guarded: Readonly<Record<string, readonly string[]>> = {
  destroys: [
    'access.roles.delete',
    'access.users.removePasskeys',
    'devices.retire',
    'legalHolds.approveRelease',
    'personalData.erase',
    'provider.applications.remove',
    'provider.departments.remove',
    'provider.roles.remove',
    'provider.samlServices.remove',
  ],
  'destroys, some calls': [
    'airBlast.approve',
    'airBlast.startStep',
    'commands.approveRun',
    'commands.rerun',
    'commands.run',
    'commands.undo',
    'schedules.create',
    'schedules.resume',
  ],
  'grants-rights': [
    'access.accessGrants.grant',
    'access.directoryConnections.create',
    'access.directoryConnections.edit',
    'access.directoryConnections.rotate',
    'access.roles.create',
    'access.roles.edit',
    'access.users.changeRoles',
    'access.users.invite',
    'apiTokens.approveApplication',
    'apiTokens.createPersonal',
    'apiTokens.createService',
    'commands.saveRules',
    'provider.accessKeys.create',
    'provider.applications.create',
    'provider.applications.edit',
    'provider.applications.rotateSecret',
    'provider.roles.addMember',
    'provider.roles.create',
    'provider.roles.edit',
    'provider.samlServices.save',
    'terminals.setConsent',
    'tickets.removeSystem',
    'tickets.saveSystem',
  ],
  'grants-rights, some calls': ['access.users.changeStatus'],
  'reveals-personal-data': [
    'accessReviews.export',
    'auditTrail.export',
    'personalData.export',
    'personalData.exportOwn',
  ],
  'reveals-personal-data, some calls': [
    'devices.export',
    'imports.confirm',
    'imports.create',
    'imports.undo',
  ],
  'opens-terminal': ['terminals.open'],
  'writes-file': ['deviceFiles.write'],
};

/**
 * Changes that were reviewed: they end rights, work on or report about one device, case, person, or run, or wait for another user. Passkeys are changed
 * only shortly after a sign-in.
 */
const unguarded: readonly string[] = [
  'access.accessGrants.ask',
  'access.accessGrants.end',
  'access.accessGrants.refuse',
  'access.directoryConnections.revoke',
  'access.users.endAllSessions',
  'access.users.endSession',
  'access.users.inviteAgain',
  'access.users.unlock',
  'accessReviews.decide',
  'accessReviews.start',
  'airBlast.abort',
  'airBlast.assumeRole',
  'airBlast.edit',
  'airBlast.exportResult',
  'airBlast.handOver',
  'airBlast.leaveOutFailed',
  'airBlast.pause',
  'airBlast.plan',
  'airBlast.prepareRollBack',
  'airBlast.reject',
  'airBlast.renewToken',
  'airBlast.resume',
  'airBlast.retry',
  'airBlast.stopWaiting',
  'airBlast.takeOver',
  'alerts.changeRule',
  'alerts.createRule',
  'alerts.deleteRule',
  'alerts.muteRule',
  'alerts.retryDelivery',
  'alerts.testDestination',
  'apiTokens.denyApplication',
  'apiTokens.findApplication',
  'apiTokens.revoke',
  'backups.start',
  'cases.addNote',
  'cases.assign',
  'cases.close',
  'cases.enter',
  'cases.leave',
  'cases.open',
  'cases.reopen',
  'cases.update',
  'commands.cancelInvocation',
  'commands.cancelRun',
  'commands.exportResults',
  'commands.keepAnswer',
  'commands.pauseRun',
  'commands.rejectRun',
  'commands.resumeRun',
  'commands.setFavorite',
  'dataSources.readAgain',
  'deviceFiles.cancel',
  'deviceFiles.read',
  'devices.addNote',
  'devices.approveReEnrollment',
  'devices.createClaim',
  'devices.createDeviceClaim',
  'devices.createTargetList',
  'devices.rejectReEnrollment',
  'devices.removeNote',
  'devices.removeView',
  'devices.resume',
  'devices.revokeClaim',
  'devices.saveView',
  'devices.suspend',
  'devices.update',
  'documents.addVersion',
  'documents.approve',
  'documents.create',
  'documents.deprecate',
  'documents.reject',
  'documents.sendForReview',
  'documents.setDefaultVersion',
  'documents.test',
  'documents.validate',
  'documents.withdrawFromReview',
  'evidence.proof',
  'evidence.reportAirBlast',
  'evidence.reportCase',
  'evidence.reportInvocation',
  'evidence.reportRun',
  'imports.advance',
  'imports.createClaim',
  'imports.discard',
  'legalHolds.rejectRelease',
  'legalHolds.requestRelease',
  'legalHolds.set',
  'locations.setPosition',
  'notifications.markRead',
  'notifications.saveSetting',
  'notifications.waitForDevice',
  'passkeys.add',
  'passkeys.begin',
  'passkeys.createRecoveryCodes',
  'passkeys.remove',
  'passkeys.rename',
  'passkeys.setSignIn',
  'presence.announce',
  'provider.accessKeys.revoke',
  'provider.connections.test',
  'provider.departments.addMember',
  'provider.departments.create',
  'provider.departments.edit',
  'provider.departments.removeMember',
  'provider.roles.removeMember',
  'provider.samlServices.readMetadata',
  'reports.cancel',
  'reports.endShare',
  'reports.linkFile',
  'reports.renewShare',
  'reports.request',
  'reports.share',
  'schedules.delete',
  'schedules.pause',
  'session.endOtherSignIns',
  'session.endSignIn',
  'session.remember',
  'session.savePreferences',
  'stepUp.beginPasskey',
  'stepUp.confirmByApp',
  'stepUp.confirmByCode',
  'stepUp.confirmByPasskey',
  'stepUp.end',
  'stepUp.sendCode',
  'terminals.end',
  'terminals.recording',
  'terminals.search',
  'tickets.create',
  'tickets.retry',
  'tickets.testSystem',
  'versions.approve',
  'versions.changeState',
  'versions.createUpload',
  'versions.register',
  'versions.withdrawApproval',
];

const nameOf = (rule: StepUpRule): string =>
  typeof rule === 'string' ? rule : `${rule.purpose}, some calls`;

describe('step-up', () => {
  test('is required by exactly what destroys, grants rights, or reveals personal data in bulk', () => {
    const found = all.flatMap(([path, { _def }]) =>
      _def.meta?.stepUp === undefined ? [] : [[nameOf(_def.meta.stepUp), path] as const],
    );
    const byRule = Object.fromEntries(
      [...Map.groupBy(found, ([rule]) => rule)].map(([rule, paths]) => [
        rule,
        paths.map(([, path]) => path).toSorted(),
      ]),
    );
    expect(byRule).toEqual(guarded);
  });

  test('was decided for every mutation: a new one belongs in one of the lists', () => {
    const undecided = all
      .filter(([, { _def }]) => _def.type === 'mutation' && _def.meta?.stepUp === undefined)
      .map(([path]) => path)
      .toSorted();
    expect(undecided).toEqual(unguarded.toSorted());
  });
});
