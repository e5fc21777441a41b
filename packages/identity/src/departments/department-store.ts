import type { Queryable } from '../database/in-transaction.ts';

/** A department with its way from the root (docs/design/sign-in.md, section 3, "Department"). */
export interface Department {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly description: string | null;
  readonly order: number;
  readonly code: string | null;
  readonly root: boolean;
  /** 0 at the root. */
  readonly depth: number;
  /** Ids, codes and names from the root down to this one. */
  readonly path: readonly string[];
  readonly codePath: readonly string[];
  readonly namePath: readonly string[];
  readonly createdAt: Date;
  readonly modifiedAt: Date;
  /** Ids of those right below. */
  readonly children: readonly string[];
  readonly isVirtualNode: boolean;
}

export interface Membership {
  readonly department: Department;
  readonly isMainDepartment: boolean;
  readonly joinedAt: Date;
}

/** The departments of a user, the main one first; in one organization or in all. */
export async function listMemberships(
  db: Queryable,
  userId: string,
  orgId: string | undefined,
): Promise<Membership[]> {
  const answer = await db.query<Department & { isMain: boolean; joinedAt: Date }>(
    `with recursive up as (
       select m.department_id as start, d.id, d.parent_id, d.code, d.name, 0 as steps
         from identity.provider_department_member m
         join identity.provider_department d on d.id = m.department_id
        where m.user_id = $1 and ($2::text is null or d.org_id = $2)
       union all
       select up.start, d.id, d.parent_id, d.code, d.name, up.steps + 1
         from up join identity.provider_department d on d.id = up.parent_id
     ), way as (
       select start, max(steps) as depth, array_agg(id order by steps desc) as path,
              array_agg(coalesce(code, '') order by steps desc) as code_path,
              array_agg(name order by steps desc) as name_path
         from up group by start
     )
     select d.id, d.org_id as "orgId", d.name, d.description, d.position as "order", d.code,
            d.parent_id is null as root, way.depth, way.path, way.code_path as "codePath",
            way.name_path as "namePath", d.created_at as "createdAt", d.modified_at as "modifiedAt",
            array(select c.id from identity.provider_department c
                   where c.parent_id = d.id order by c.position, c.id) as children,
            d.is_virtual as "isVirtualNode", m.is_main as "isMain", m.joined_at as "joinedAt"
       from way
       join identity.provider_department d on d.id = way.start
       join identity.provider_department_member m on m.department_id = d.id and m.user_id = $1
      order by m.is_main desc, m.joined_at, d.id`,
    [userId, orgId ?? null],
  );
  return answer.rows.map(({ isMain, joinedAt, ...department }) => ({
    department,
    isMainDepartment: isMain,
    joinedAt,
  }));
}

export interface NewDepartment {
  readonly id: string;
  readonly orgId: string;
  /** Undefined for the root of its organization. */
  readonly parentId?: string;
  readonly code?: string;
  readonly name: string;
  readonly description?: string;
  readonly order?: number;
}

/** Creates an organization with its root department. */
export async function insertOrganization(
  db: Queryable,
  org: { readonly id: string; readonly userPoolId: string; readonly name: string },
  at: Date,
): Promise<void> {
  await db.query(
    `insert into identity.provider_organization (id, user_pool_id, name, created_at)
     values ($1, $2, $3, $4)`,
    [org.id, org.userPoolId, org.name, at],
  );
}

export async function insertDepartment(
  db: Queryable,
  department: NewDepartment,
  at: Date,
): Promise<void> {
  await db.query(
    `insert into identity.provider_department
       (id, org_id, parent_id, code, name, description, position, created_at, modified_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      department.id,
      department.orgId,
      department.parentId ?? null,
      department.code ?? null,
      department.name,
      department.description ?? null,
      department.order ?? 0,
      at,
    ],
  );
}

/** @returns false where they were in it already, which stays as it was */
export async function addDepartmentMember(
  db: Queryable,
  member: { readonly departmentId: string; readonly userId: string; readonly isMain: boolean },
  at: Date,
): Promise<boolean> {
  const answer = await db.query(
    `insert into identity.provider_department_member (department_id, user_id, is_main, joined_at)
     values ($1, $2, $3, $4) on conflict do nothing`,
    [member.departmentId, member.userId, member.isMain, at],
  );
  return answer.rowCount === 1;
}
