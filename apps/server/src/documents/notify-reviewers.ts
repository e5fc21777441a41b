import { endNotifications } from '../notifications/data/end-notifications.ts';
import { findUsersWithPermission } from '../access/data/users-with-permission.ts';
import { deleteNotifications } from '../notifications/data/delete-notifications.ts';
import { notify } from '../notifications/notify.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findAuthorIds } from './data/find-author-ids.ts';
import type { LockedVersion } from './change-version.ts';

/** Notifies the users who can review a version, except its author. */
export async function notifyReviewers(held: LockedVersion, viewer: Viewer): Promise<void> {
  const { tx, document, version } = held;
  const holders = await findUsersWithPermission(tx, 'documents:approve');
  // A version can be submitted again after a rejection, which notifies again.
  const subject = subjectOf(held);
  await deleteNotifications(tx, { kind: 'document-review', subject });
  await notify(
    tx,
    holders
      .filter(({ userId }) => userId !== version.createdById && userId !== viewer.userId)
      .map(({ userId }) => ({
        userId,
        kind: 'document-review',
        subject,
        facts: { document: document.name, version: version.version, by: viewer.username },
      })),
  );
}

/** Notifies the author and the submitter of the decision, and closes the notifications to the other reviewers. */
export async function notifyAuthor(
  held: LockedVersion,
  decided: {
    readonly decision: 'approved' | 'rejected';
    readonly comment: string;
    readonly viewer: Viewer;
  },
): Promise<void> {
  const { tx, document, version, at } = held;
  await closeReviewNotifications(held);
  const authors = await findAuthorIds(tx, version);
  const { decision, comment, viewer } = decided;
  await notify(
    tx,
    authors
      .filter((userId) => userId !== viewer.userId)
      .map((userId) => ({
        userId,
        kind: 'document-reviewed',
        subject: `${subjectOf(held)}:${at.toISOString()}`,
        facts: {
          document: document.name,
          version: version.version,
          decision,
          comment,
          by: viewer.username,
        },
      })),
  );
}

/** After a decision or a withdrawal, no review is needed. */
export async function closeReviewNotifications(held: LockedVersion): Promise<void> {
  await endNotifications(held.tx, { kind: 'document-review', subject: subjectOf(held) });
}

const subjectOf = ({ document, version }: LockedVersion): string =>
  `document:${document.name}:${version.version}`;
