import type { Queryable } from '../../database/in-transaction.ts';

export interface UserGroup {
  readonly name: string;
  readonly description: string | null;
  /** 0 comes first; null comes last. */
  readonly precedence: number | null;
  readonly roleArn: string | null;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

const COLUMNS = `name, description, precedence, role_arn as "roleArn", created_at as "createdAt",
  modified_at as "modifiedAt"`;
const ORDER = 'precedence nulls last, name';

/** @returns false when a group with this name exists */
export async function insertGroup(db: Queryable, group: UserGroup): Promise<boolean> {
  const answer = await db.query(
    `insert into identity.user_group (name, description, precedence, role_arn, created_at, modified_at)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [
      group.name,
      group.description,
      group.precedence,
      group.roleArn,
      group.createdAt,
      group.modifiedAt,
    ],
  );
  return answer.rowCount === 1;
}

export async function findGroup(db: Queryable, name: string): Promise<UserGroup | undefined> {
  const answer = await db.query<UserGroup>(
    `select ${COLUMNS} from identity.user_group where name = $1`,
    [name],
  );
  return answer.rows[0];
}

export async function listAllGroups(db: Queryable): Promise<UserGroup[]> {
  const answer = await db.query<UserGroup>(
    `select ${COLUMNS} from identity.user_group order by ${ORDER}`,
  );
  return answer.rows;
}

export type GroupOfUser = Pick<UserGroup, 'name' | 'precedence' | 'roleArn'>;

/** The groups of a person, those that come first in front. */
export async function readGroupsOfUser(db: Queryable, sub: string): Promise<GroupOfUser[]> {
  const answer = await db.query<GroupOfUser>(
    `select g.name, g.precedence, g.role_arn as "roleArn" from identity.group_membership m join identity.user_group g on g.name = m.group_name
      where m.sub = $1 order by ${ORDER}`,
    [sub],
  );
  return answer.rows;
}

/** The whole groups of a person. */
export async function listGroupsOfUser(db: Queryable, sub: string): Promise<UserGroup[]> {
  const answer = await db.query<UserGroup>(
    `select ${COLUMNS} from identity.user_group
      where name in (select group_name from identity.group_membership where sub = $1)`,
    [sub],
  );
  return answer.rows;
}

export async function readGroupNames(db: Queryable, sub: string): Promise<string[]> {
  return (await readGroupsOfUser(db, sub)).map(({ name }) => name);
}

/** @returns false when the person is a member already */
export async function insertMembership(
  db: Queryable,
  member: { readonly sub: string; readonly group: string },
  now: Date,
): Promise<boolean> {
  const answer = await db.query(
    `insert into identity.group_membership (sub, group_name, created_at) values ($1, $2, $3)
     on conflict do nothing`,
    [member.sub, member.group, now],
  );
  return answer.rowCount === 1;
}

/** @returns false when the person was no member */
export async function deleteMembership(
  db: Queryable,
  member: { readonly sub: string; readonly group: string },
): Promise<boolean> {
  const answer = await db.query(
    'delete from identity.group_membership where sub = $1 and group_name = $2',
    [member.sub, member.group],
  );
  return answer.rowCount === 1;
}
