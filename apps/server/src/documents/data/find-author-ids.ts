import { or, sql } from 'drizzle-orm';
import { userNames } from '../../access/data/user-names.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { StoredVersion } from './document-version-queries.ts';

/** The users who wrote a version and who submitted it for review. */
export async function findAuthorIds(
  on: Executor,
  { createdById, submittedBy }: Pick<StoredVersion, 'createdById' | 'submittedBy'>,
): Promise<string[]> {
  const rows = await on
    .select({ userId: userNames.userId })
    .from(userNames)
    .where(
      or(
        sql`${userNames.userId} = ${createdById}::uuid`,
        sql`${userNames.username} = ${submittedBy}`,
      ),
    );
  return rows.map(({ userId }) => userId);
}
