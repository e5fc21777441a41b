import type { ElevationRow } from '@deviceportal/contract/elevations';
import { maskUser } from '../../people/mask-person.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { StoredElevation } from '../data/elevation-queries.ts';
import { obstacleTo } from './obstacle-to.ts';

/** As a viewer may see it: other people are masked without `people:read`. */
export function toElevationRow(
  { subject: _subject, askedAtText: _text, ...stored }: StoredElevation,
  viewer: Viewer,
  /** Further accounts of the viewer. */
  own: readonly string[] = [],
): ElevationRow {
  const lasting = viewer.lasting ?? viewer.grants;
  const masked = (name: string | null): string | null =>
    name === null ? null : maskUser(name, viewer);
  return {
    ...stored,
    mine: stored.userId === viewer.userId,
    obstacle: obstacleTo(stored, { userIds: [viewer.userId, ...own], lasting }),
    username: maskUser(stored.username, viewer),
    decidedBy: masked(stored.decidedBy),
    endedBy: masked(stored.endedBy),
  };
}
