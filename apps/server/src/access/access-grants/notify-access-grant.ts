import type { NotificationFacts, NotificationKind } from '@deviceportal/contract/notifications';
import { endNotifications } from '../../notifications/data/end-notifications.ts';
import { notify, notificationsChange } from '../../notifications/notify.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { StoredAccessGrant } from '../data/access-grant-queries.ts';
import { findApprovers } from './find-approvers.ts';

/** Subject of the notifications about a request: each is sent once per subject. */
export const accessGrantSubject = (id: string): string => `elevation:${id}`;

/** Closes the notifications to the approvers. */
export const closeApproverNotifications = (
  tx: Transaction,
  { id }: Pick<StoredAccessGrant, 'id'>,
): Promise<void> =>
  endNotifications(tx, { kind: 'elevation-asked', subject: accessGrantSubject(id) });

/** Notifies the requester of the decision. */
export async function notifyRequester(
  tx: Transaction,
  { id, userId, roleName }: Pick<StoredAccessGrant, 'id' | 'userId' | 'roleName'>,
  notification: { readonly kind: NotificationKind; readonly facts: NotificationFacts },
): Promise<void> {
  const facts = { elevationId: id, role: roleName, ...notification.facts };
  await notify(tx, [{ userId, kind: notification.kind, subject: accessGrantSubject(id), facts }]);
}

/** Users whose screens must be refreshed: the requester and all possible approvers. */
export async function concerned(
  tx: Transaction,
  accessGrants: readonly Pick<StoredAccessGrant, 'userId' | 'subject' | 'permissions' | 'scope'>[],
): Promise<Change[]> {
  const subjects = new Set<string>();
  for (const { userId, subject, permissions, scope } of accessGrants) {
    subjects.add(subject);
    const approvers = await findApprovers(tx, { userId, grant: { permissions, scope } });
    for (const approver of approvers) subjects.add(approver.subject);
  }
  return notificationsChange([...subjects]);
}
