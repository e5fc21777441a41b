import { holds } from '@deviceportal/contract/permissions';
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
    if (!holds(viewer.grants, 'access:manage') || (await passkeys.has(viewer.subject))) {
      return viewer;
    }
    return { ...viewer, grants: [], temporary: [], lasting: [], mustAddPasskey: true };
  };
  return {
    find: async (token, origin) => apply(await viewers.find(token, origin)),
    findBySubject: async (subject, groups) => apply(await viewers.findBySubject(subject, groups)),
  };
}
