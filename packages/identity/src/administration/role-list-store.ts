import type { Member, ProviderRole } from '@deviceportal/contract/provider-admin';
import type { Queryable } from '../database/in-transaction.ts';
import { MEMBER_COLUMNS, toMember, type MemberPlace, type StoredMember } from './members.ts';

/** Position of a page: after this role. */
export interface RolePlace {
  readonly namespace: string;
  readonly code: string;
}

export interface RoleName extends RolePlace {
  readonly id: string;
}

/** By namespace and code. */
export async function selectRoles(
  db: Queryable,
  userPoolId: string,
  { after, limit }: { readonly after: RolePlace | undefined; readonly limit: number },
): Promise<Omit<ProviderRole, 'isPortals'>[]> {
  const answer = await db.query<Omit<ProviderRole, 'isPortals'>>(
    `select r.id, r.namespace, r.code, coalesce(r.description, '') as description,
            (select count(*)::int from identity.provider_role_member m where m.role_id = r.id) as people
       from identity.provider_role r
      where r.user_pool_id = $1 and ($2::text is null or (r.namespace, r.code) > ($2, $3))
      order by r.namespace, r.code limit $4`,
    [userPoolId, after?.namespace ?? null, after?.code ?? null, limit],
  );
  return answer.rows;
}

/** `update`, for who changes or removes the role: `share` would have two of them wait for each other. */
const LOCKS = { none: '', share: 'for share', update: 'for update' } as const;
export type RoleLock = keyof typeof LOCKS;

/**
 * @param lock prevents deletion (`share`) or also locking (`update`) by others until the end of the
 * transaction
 */
export async function findRole(
  db: Queryable,
  { userPoolId, id }: { readonly userPoolId: string; readonly id: string },
  lock: RoleLock,
): Promise<RoleName | undefined> {
  const answer = await db.query<RoleName>(
    `select id, namespace, code from identity.provider_role
      where user_pool_id = $1 and id = $2 ${LOCKS[lock]}`,
    [userPoolId, id],
  );
  return answer.rows[0];
}

export async function updateRole(
  db: Queryable,
  { id, description }: { readonly id: string; readonly description: string },
  at: Date,
): Promise<void> {
  await db.query(
    'update identity.provider_role set description = $2, modified_at = $3 where id = $1',
    [id, description, at],
  );
}

/** With what was granted to it. */
export async function deleteRole(db: Queryable, id: string): Promise<void> {
  await db.query(
    `delete from identity.provider_grant where principal_type = 'ROLE' and principal_id = $1`,
    [id],
  );
  await db.query('delete from identity.provider_role where id = $1', [id]);
}

export async function selectRoleMembers(
  db: Queryable,
  roleId: string,
  { after, limit }: MemberPlace,
): Promise<Member[]> {
  const answer = await db.query<StoredMember>(
    `select ${MEMBER_COLUMNS}, m.created_at as since
       from identity.provider_role_member m
       join identity.provider_user u on u.id = m.user_id join identity.account a on a.account_id = u.id
      where m.role_id = $1 and ($2::text is null or m.user_id > $2)
      order by m.user_id limit $3`,
    [roleId, after ?? null, limit],
  );
  return answer.rows.map(toMember);
}
