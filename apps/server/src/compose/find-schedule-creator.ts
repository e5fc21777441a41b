import { loadGrants } from '../access/load-grants.ts';
import { loadUser } from '../access/users/load-user.ts';
import type { UserDirectory } from '../access/users/user-directory.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';

interface FindScheduleCreatorDeps {
  readonly database: Database;
  readonly directory: UserDirectory;
  readonly clock: () => Date;
}

/**
 * The creator of a schedule with current roles and groups. Undefined if the user is no longer
 * admitted; the user's schedules then no longer run. With an external provider, groups are known
 * only from tokens, so only roles assigned in the portal apply.
 */
export async function findScheduleCreator(
  { database, directory, clock }: FindScheduleCreatorDeps,
  creator: { readonly createdBySubject: string },
): Promise<Viewer | undefined> {
  const user = await loadUser({ database }, creator.createdBySubject);
  if (user?.status !== 'Activated') return undefined;
  const groups = (await directory.groupsBySubject()).get(user.subject) ?? [];
  return {
    userId: user.id,
    subject: user.subject,
    username: user.username,
    displayName: user.name,
    email: user.email,
    admitted: true,
    signedInAt: user.lastSignInAt ?? clock(),
    ...(await loadGrants({ database }, user, groups)),
  };
}
