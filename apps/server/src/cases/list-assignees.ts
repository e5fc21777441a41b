import type { z } from 'zod';
import type { CaseAssignee, listAssigneesInput } from '@deviceportal/contract/cases';
import { PortalError } from '@deviceportal/contract/errors';
import { holds } from '@deviceportal/contract/permissions';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import { nameOf } from './assignee-name.ts';
import { isPersonVisible } from './data/case-queries.ts';
import { findAssignees } from './data/find-assignees.ts';
import type { CasesDeps } from './cases-deps.ts';

const SHOWN = 20;

/**
 * Users who can be assigned to cases of a person. Without `people:read`, names are masked and cannot be searched, as
 * matches would reveal them.
 *
 * @throws PortalError notFound (2003) if the person is not visible to the viewer
 */
export async function listAssignees(
  { database }: Pick<CasesDeps, 'database'>,
  viewer: Viewer,
  { personId, text }: z.infer<typeof listAssigneesInput>,
): Promise<CaseAssignee[]> {
  if (!(await isPersonVisible(database.orm, viewer, personId)))
    throw new PortalError('notFound', { facts: { person: personId } });
  const searched = holds(viewer.grants, 'people:read') ? text : '';
  const found = await findAssignees(database.orm, personId, { text: searched, limit: SHOWN });
  return found.map(({ id, username, name }) => ({
    id,
    username: maskUser(username, viewer),
    name: maskUser(nameOf({ username, name }), viewer),
  }));
}
