import type { DocumentDetail } from '@deviceportal/contract/documents';
import { refuse } from '@deviceportal/contract/refuse';
import { findRoleNamesHolding } from '../access/data/role-queries.ts';
import { isSamePerson } from '../access/data/same-people.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  changeVersion,
  requireState,
  type DocumentsDeps,
  type LockedVersion,
} from './change-version.ts';
import type { OneVersion } from './send-for-review.ts';
import { notifyAuthor } from './notify-reviewers.ts';
import { decideVersion } from './data/version-state-queries.ts';

export interface ApproveVersion extends OneVersion {
  readonly makeDefault: boolean;
  readonly comment: string;
}

/**
 * Approves a version as a second person. The version can then be run. The first approved version becomes the default.
 *
 * @throws PortalError 2003; 2004 if it is not in review; 1000 for its author
 */
export function approveVersion(
  deps: DocumentsDeps,
  viewer: Viewer,
  input: ApproveVersion,
): Promise<DocumentDetail> {
  const { comment } = input;
  return changeVersion(deps, viewer, {
    ...input,
    change: async (held) => {
      requireState(held, ['review']);
      await requireSecondPerson(held, viewer);
      await decideVersion(held.tx, input, { decision: 'approved', comment, viewer, at: held.at });
      await notifyAuthor(held, { decision: 'approved', comment, viewer });
      const becomesDefault = input.makeDefault || held.document.defaultVersion === null;
      return {
        type: 'document.approved',
        data: { author: held.version.createdBy, consequence: held.version.consequence, comment },
        ...(becomesDefault ? { defaultVersion: input.version } : {}),
      };
    },
  });
}

export interface RejectVersion extends OneVersion {
  readonly comment: string;
}

/**
 * Rejects a version with a reason for the author; it becomes a draft.
 * @throws PortalError 2003; 2004 if it is not in review; 1000 for its author
 */
export function rejectVersion(
  deps: DocumentsDeps,
  viewer: Viewer,
  input: RejectVersion,
): Promise<DocumentDetail> {
  const { comment } = input;
  return changeVersion(deps, viewer, {
    ...input,
    change: async (held) => {
      requireState(held, ['review']);
      await requireSecondPerson(held, viewer);
      await decideVersion(held.tx, input, { decision: 'rejected', comment, viewer, at: held.at });
      await notifyAuthor(held, { decision: 'rejected', comment, viewer });
      return { type: 'document.rejected', data: { author: held.version.createdBy, comment } };
    },
  });
}

/** Authors cannot review their own version, regardless of permissions and from any of their accounts. */
async function requireSecondPerson(held: LockedVersion, viewer: Viewer): Promise<void> {
  const authors = [held.version.createdById].filter((id) => id !== null);
  if (!(await isSamePerson(held.tx, viewer.userId, authors))) return;
  const roles = await findRoleNamesHolding(held.tx, 'documents:approve');
  throw refuse('own-version', {
    facts: { permission: 'documents:approve', approverRoles: roles.join(', ') || '-' },
  });
}
