import type { AccessGrantRow } from '@deviceportal/contract/access-grants';
import { maskUser } from '../../people/mask-person.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { StoredAccessGrant } from '../data/access-grant-queries.ts';
import { decisionObstacle } from './decision-obstacle.ts';

/** Masks other users' names in a row for viewers without `people:read`. */
export function toAccessGrantRow(
  { subject: _subject, askedAtText: _text, ...stored }: StoredAccessGrant,
  viewer: Viewer,
  /** Other accounts of the viewer. */
  own: readonly string[] = [],
): AccessGrantRow {
  const lasting = viewer.lasting ?? viewer.grants;
  const masked = (name: string | null): string | null =>
    name === null ? null : maskUser(name, viewer);
  return {
    ...stored,
    mine: stored.userId === viewer.userId,
    obstacle: decisionObstacle(stored, { userIds: [viewer.userId, ...own], lasting }),
    username: maskUser(stored.username, viewer),
    decidedBy: masked(stored.decidedBy),
    endedBy: masked(stored.endedBy),
  };
}
