import { sql } from 'drizzle-orm';
import { permissionsBeyond } from '@deviceportal/contract/covers';
import { ADMINISTRATOR, holds, type Grant } from '@deviceportal/contract/permissions';
import { findSamePeople } from '../is-same-person.ts';
import type { Executor } from '../../platform/database/database.ts';

export interface Approver {
  readonly userId: string;
  readonly subject: string;
}

/** People who may grant temporary access: every other person who manages access and holds all of it permanently. */
export async function findApprovers(
  executor: Executor,
  asked: { readonly userId: string; readonly grant: Grant },
): Promise<Approver[]> {
  const { rows } = await executor.execute(sql`
    select u.id as "userId", u.subject,
      jsonb_agg(jsonb_build_object('permissions', r.permissions, 'scope', r.scope)) as grants
    from portal_user u
    join role r on exists (select from user_role ur where ur.user_id = u.id and ur.role_id = r.id)
      or (u.in_admin_group and r.builtin and r.name = ${ADMINISTRATOR})
    where u.status = 'Activated' and u.id <> ${asked.userId}
    group by u.id`);
  const able = (rows as unknown as (Approver & { readonly grants: Grant[] })[]).flatMap(
    ({ userId, subject, grants }) =>
      holds(grants, 'access:manage') && permissionsBeyond(grants, asked.grant).length === 0
        ? [{ userId, subject }]
        : [],
  );
  const ids = able.map(({ userId }) => userId);
  const same = await findSamePeople(executor, ids, [asked.userId]);
  return able.filter(({ userId }) => !same.includes(userId));
}
