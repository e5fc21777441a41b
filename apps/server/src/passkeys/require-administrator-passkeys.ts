import { holds, type Grant } from '@deviceportal/contract/permissions';
import type { Passkeys } from '@deviceportal/identity/passkeys';
import type { Viewer } from '../platform/viewer.ts';
import type { ViewerFinder } from '../session/find-viewer.ts';

/**
 * Administrators without a passkey have no grants: only their own session and passkeys are left to them. Checked with
 * every call, so that they can continue as soon as they have added one.
 */
export function requireAdministratorPasskeys(
  viewers: ViewerFinder,
  passkeys: Pick<Passkeys, 'has'>,
): ViewerFinder {
  const apply = async (viewer: Viewer): Promise<Viewer> => {
    if (!isAdministrator(viewer.grants) || (await passkeys.has(viewer.subject))) return viewer;
    return { ...viewer, grants: [], temporary: [], lasting: [], mustAddPasskey: true };
  };
  return {
    find: async (token, origin) => apply(await viewers.find(token, origin)),
    findBySubject: async (subject, groups) => apply(await viewers.findBySubject(subject, groups)),
  };
}

/** The same for the grants of many users by subject, in one statement. */
export async function withAdministratorPasskeys(
  grants: ReadonlyMap<string, readonly Grant[]>,
  passkeys: Pick<Passkeys, 'findOwners'>,
): Promise<ReadonlyMap<string, readonly Grant[]>> {
  const administrators = [...grants].flatMap(([subject, held]) =>
    isAdministrator(held) ? [subject] : [],
  );
  if (administrators.length === 0) return grants;
  const owners = await passkeys.findOwners(administrators);
  const without = administrators.filter((subject) => !owners.has(subject));
  return new Map<string, readonly Grant[]>([
    ...grants,
    ...without.map((subject) => [subject, []] as const),
  ]);
}

const isAdministrator = (grants: readonly Grant[]): boolean => holds(grants, 'access:manage');
