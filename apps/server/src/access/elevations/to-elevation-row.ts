import type { ElevationRow } from '@deviceportal/contract/elevations';
import { maskUser } from '../../people/mask-person.ts';
import type { Grant } from '@deviceportal/contract/permissions';
import type { Viewer } from '../../platform/viewer.ts';
import type { StoredElevation } from './elevation-store.ts';
import { obstacleTo } from './obstacle-to.ts';

/**
 * As a viewer may see it: other people are masked without `people:read`.
 * @param lasting what the viewer holds for good; only what waits for somebody else asks for it
 */
export function toElevationRow(
  { subject: _subject, askedAtText: _text, ...stored }: StoredElevation,
  viewer: Viewer,
  lasting: readonly Grant[] = [],
): ElevationRow {
  const masked = (name: string | null): string | null =>
    name === null ? null : maskUser(name, viewer);
  return {
    ...stored,
    mine: stored.userId === viewer.userId,
    obstacle: obstacleTo(stored, { userId: viewer.userId, grants: viewer.grants, lasting }),
    username: maskUser(stored.username, viewer),
    decidedBy: masked(stored.decidedBy),
    endedBy: masked(stored.endedBy),
  };
}
