import { sql } from 'drizzle-orm';
import { endNotifications } from '../notifications/end-notifications.ts';
import { findPeopleHolding } from '../access/data/people-holding.ts';
import { notify } from '../notifications/notify.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { HeldVersion } from './change-version.ts';

/** Everybody who may review a version, except who wrote it, hears that it waits. */
export async function tellReviewers(held: HeldVersion, viewer: Viewer): Promise<void> {
  const { tx, document, version } = held;
  const holders = await findPeopleHolding(tx, 'documents:approve');
  // Sent once more after a rejection, it is told once more.
  const subject = subjectOf(held);
  await tx.execute(
    sql`delete from notification where subject = ${subject} and kind = 'document-review'`,
  );
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

/** Who wrote it and who sent it hear what was decided; nobody else is asked any more. */
export async function tellAuthor(
  held: HeldVersion,
  decided: {
    readonly decision: 'approved' | 'rejected';
    readonly comment: string;
    readonly viewer: Viewer;
  },
): Promise<void> {
  const { tx, document, version, at } = held;
  await endReview(held);
  const { rows } = await tx.execute<{ id: string }>(
    sql`select id from portal_user where id = ${version.createdById} or username = ${version.submittedBy}`,
  );
  const { decision, comment, viewer } = decided;
  await notify(
    tx,
    rows
      .filter(({ id }) => id !== viewer.userId)
      .map(({ id }) => ({
        userId: id,
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

/** Decided or withdrawn: it waits for nobody. */
export async function endReview(held: HeldVersion): Promise<void> {
  await endNotifications(held.tx, { kind: 'document-review', subject: subjectOf(held) });
}

const subjectOf = ({ document, version }: HeldVersion): string =>
  `document:${document.name}:${version.version}`;
