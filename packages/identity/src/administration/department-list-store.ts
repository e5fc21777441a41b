import type { DepartmentInput, DepartmentRow, Member } from '@deviceportal/contract/provider-admin';
import type { Queryable } from '../database/in-transaction.ts';
import { MEMBER_COLUMNS, toMember, type MemberPlace, type StoredMember } from './members.ts';

export interface DepartmentPlace {
  readonly id: string;
  readonly orgId: string;
  readonly parentId: string | null;
  readonly name: string;
}

/** Whole, since there is a most: each behind the one above it. */
export async function selectDepartments(
  db: Queryable,
  userPoolId: string,
): Promise<DepartmentRow[]> {
  const answer = await db.query<DepartmentRow>(
    `with recursive tree as (
       select d.*, array[d.name, d.id] as way
         from identity.provider_department d
         join identity.provider_organization o on o.id = d.org_id
        where o.user_pool_id = $1 and d.parent_id is null
       union all
       select d.*, tree.way || array[d.name, d.id]
         from tree join identity.provider_department d on d.parent_id = tree.id
     )
     select id, parent_id as "parentId", name, code, coalesce(description, '') as description,
            (select count(*)::int from identity.provider_department_member m
              where m.department_id = tree.id) as people
       from tree order by way`,
    [userPoolId],
  );
  return answer.rows;
}

export async function findDepartment(
  db: Queryable,
  { userPoolId, id }: { readonly userPoolId: string; readonly id: string },
): Promise<DepartmentPlace | undefined> {
  const answer = await db.query<DepartmentPlace>(
    `select d.id, d.org_id as "orgId", d.parent_id as "parentId", d.name
       from identity.provider_department d join identity.provider_organization o on o.id = d.org_id
      where o.user_pool_id = $1 and d.id = $2`,
    [userPoolId, id],
  );
  return answer.rows[0];
}

/** Serializes changes of the tree, so that checks are still valid at the write. */
export async function countDepartments(db: Queryable): Promise<number> {
  await db.query(`select pg_advisory_xact_lock(hashtext('provider departments'))`);
  const answer = await db.query<{ count: number }>(
    'select count(*)::int as count from identity.provider_department',
  );
  return answer.rows[0]?.count ?? 0;
}

/** Whether `id` is the department itself, or lies below it. */
export async function isBelow(db: Queryable, departmentId: string, id: string): Promise<boolean> {
  const answer = await db.query(
    `with recursive up as (
       select id, parent_id from identity.provider_department where id = $2
       union all
       select d.id, d.parent_id from up join identity.provider_department d on d.id = up.parent_id
     ) select from up where id = $1`,
    [departmentId, id],
  );
  return (answer.rowCount ?? 0) > 0;
}

export async function updateDepartment(
  db: Queryable,
  { id, parentId, name, code, description }: DepartmentInput & { readonly id: string },
  at: Date,
): Promise<void> {
  await db.query(
    `update identity.provider_department
        set parent_id = $2, name = $3, code = $4, description = $5, modified_at = $6 where id = $1`,
    [id, parentId, name, code, description, at],
  );
}

/**
 * Deletes a department with everything below it and all grants to it. Deleting a root deletes its
 * organization.
 */
export async function deleteDepartment(db: Queryable, id: string): Promise<void> {
  await db.query(
    `with recursive gone as (
       select id from identity.provider_department where id = $1
       union all
       select d.id from gone join identity.provider_department d on d.parent_id = gone.id
     )
     delete from identity.provider_grant g using gone
      where g.principal_type = 'ORG' and g.principal_id = gone.id`,
    [id],
  );
  await db.query(
    `with gone as (
       delete from identity.provider_department where id = $1 returning org_id, parent_id)
     delete from identity.provider_organization o using gone
      where o.id = gone.org_id and gone.parent_id is null`,
    [id],
  );
}

export async function selectDepartmentMembers(
  db: Queryable,
  departmentId: string,
  { after, limit }: MemberPlace,
): Promise<Member[]> {
  const answer = await db.query<StoredMember>(
    `select ${MEMBER_COLUMNS}, m.joined_at as since
       from identity.provider_department_member m
       join identity.provider_user u on u.id = m.user_id join identity.account a on a.account_id = u.id
      where m.department_id = $1 and ($2::text is null or m.user_id > $2)
      order by m.user_id limit $3`,
    [departmentId, after ?? null, limit],
  );
  return answer.rows.map(toMember);
}

/** @returns false where they were not in it */
export async function deleteDepartmentMember(
  db: Queryable,
  departmentId: string,
  userId: string,
): Promise<boolean> {
  const answer = await db.query(
    `delete from identity.provider_department_member where department_id = $1 and user_id = $2`,
    [departmentId, userId],
  );
  return answer.rowCount === 1;
}
