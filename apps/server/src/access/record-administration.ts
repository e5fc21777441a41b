import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { ActKind, AdministrationAct } from '@deviceportal/identity/administration-act';
import { recordAudit, systemActor, type AuditActorDraft } from '../audit-trail/record-audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import { findUserBySubject } from './data/user-queries.ts';

const types: Readonly<Record<ActKind, AuditType>> = {
  userCreated: 'access.user-created',
  userChanged: 'access.user-changed',
  userDisabled: 'access.user-disabled',
  userEnabled: 'access.user-enabled',
  userUnlocked: 'access.user-unlocked',
  userDeleted: 'access.user-deleted',
  userSignedOut: 'access.user-signed-out',
  groupCreated: 'access.group-created',
  groupMemberAdded: 'access.group-member-added',
  groupMemberRemoved: 'access.group-member-removed',
  accessKeyCreated: 'access.access-key-created',
  accessKeyRevoked: 'access.access-key-revoked',
  roleAssumed: 'access.role-assumed',
  applicationCreated: 'provider.application-created',
  applicationChanged: 'provider.application-changed',
  applicationRemoved: 'provider.application-removed',
  applicationSecretRotated: 'provider.application-secret-rotated',
  programKeyCreated: 'provider.access-key-created',
  programKeyRevoked: 'provider.access-key-revoked',
  samlServiceSaved: 'provider.saml-service-saved',
  samlServiceRemoved: 'provider.saml-service-removed',
  departmentCreated: 'provider.department-created',
  departmentChanged: 'provider.department-changed',
  departmentRemoved: 'provider.department-removed',
  departmentMemberAdded: 'provider.department-member-added',
  departmentMemberRemoved: 'provider.department-member-removed',
  roleCreated: 'provider.role-created',
  roleChanged: 'provider.role-changed',
  roleRemoved: 'provider.role-removed',
  roleMemberAdded: 'provider.role-member-added',
  roleMemberRemoved: 'provider.role-member-removed',
};

/**
 * Records an administrative action on users, groups, keys, or roles of the user pool in the audit trail, in the
 * transaction of the action.
 */
export async function recordAdministration(tx: Transaction, act: AdministrationAct): Promise<void> {
  await recordAudit(tx, [
    {
      type: types[act.kind],
      at: act.at,
      actor: await actorOfAct(tx, act),
      requestId: act.requestId ?? null,
      data: {
        ...act.detail,
        ...(act.user && { username: act.user.username, subject: act.user.sub }),
      },
    },
  ]);
}

/** Users appear under the portal's own ID, as in all audit events. */
async function actorOfAct(
  tx: Transaction,
  { actor, address: from }: AdministrationAct,
): Promise<AuditActorDraft> {
  const address = from ?? null;
  switch (actor.kind) {
    case 'server':
      return systemActor;
    case 'accessKey':
      return { kind: 'system', id: actor.id ?? null, name: `access key ${actor.name}`, address };
    case 'service':
      return { kind: 'system', id: actor.id ?? null, name: actor.name, address };
    case 'person': {
      const user = actor.id === undefined ? undefined : await findUserBySubject(tx, actor.id);
      return { kind: 'user', id: user?.id ?? null, name: actor.name, address };
    }
  }
}
