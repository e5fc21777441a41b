import { holds } from '@deviceportal/contract/permissions';
import type { listMembersInput, Member, MemberPage } from '@deviceportal/contract/provider-admin';
import type { z } from 'zod';
import { maskName } from '../people/mask-person.ts';
import { decodeCursor } from '../platform/keyset-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { pageOf } from './page-of.ts';

interface WithMembers {
  listMembers(
    id: string,
    page: { readonly after: string | undefined; readonly limit: number },
  ): Promise<readonly Member[]>;
}

/** The members of a department or role; masked for users without `people:read`. */
export async function listMembers(
  of: WithMembers,
  viewer: Viewer,
  { id, pageSize, cursor }: z.output<typeof listMembersInput>,
): Promise<MemberPage> {
  const [after] = decodeCursor(cursor, 1);
  const rows = await of.listMembers(id, { after, limit: pageSize + 1 });
  const page = pageOf(rows, pageSize, ({ userId }) => [userId]);
  if (holds(viewer.grants, 'people:read')) return page;
  return { ...page, rows: page.rows.map(masked) };
}

function masked(member: Member): Member {
  return { ...member, username: maskName(member.username), name: maskName(member.name) };
}
