import type { OwnSessions } from '@deviceportal/contract/access';
import { PortalError } from '@deviceportal/contract/errors';
import type { Caller, Viewer } from '../../platform/viewer.ts';
import type { AccessDeps } from '../access-deps.ts';
import { listUserSessions, requireAdministration } from './user-sessions.ts';

type Deps = Pick<AccessDeps, 'database' | 'directory'>;

/** The viewer's active sessions, newest first. */
export async function listOwnSessions(deps: Deps, viewer: Viewer): Promise<OwnSessions> {
  const known = deps.directory.administration !== undefined;
  return { known, sessions: known ? await listUserSessions(deps, viewer, viewer.userId) : [] };
}

/** Ends all sessions of the viewer except the current one. Sessions that have already ended are not an error. */
export async function endOtherSessions({ directory }: Deps, caller: Caller): Promise<void> {
  const pool = requireAdministration(directory);
  const { subject, signInId } = caller.viewer;
  for (const { id } of await pool.listSessions(subject)) {
    if (id === signInId) continue;
    await pool.endSession(subject, id, caller).catch((error: unknown) => {
      if (!(error instanceof PortalError && error.errorName === 'notFound')) throw error;
    });
  }
}
