import { and, asc, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { Grant } from '@deviceportal/contract/permissions';
import { withoutServiceNames } from '@deviceportal/contract/service-actor-name';
import type { UserStatus } from '@deviceportal/contract/states';
import { personNames } from '../../people/data/person-names.ts';
import { portalNow } from '../../platform/columns.ts';
import { builtOnce } from '../../platform/database/built-once.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { jsonArray, jsonObject } from '../../platform/database/json-rows.ts';
import { isoOrNull } from '../../platform/moment-cursor.ts';
import type { TemporaryGrant } from '../../platform/viewer.ts';
import { heldGrant, portalUser, role, userRole } from './access-tables.ts';
import { holdsPermanently } from './current-grants.ts';
import { givenGrants, givenRoleNames, roleNamesOf } from './user-roles.ts';

type PortalUser = typeof portalUser.$inferSelect;

export interface StoredUser extends Readonly<
  Pick<
    PortalUser,
    | 'id'
    | 'subject'
    | 'username'
    | 'email'
    | 'name'
    | 'status'
    | 'preferences'
    /** Group membership at the last call. */
    | 'inAdminGroup'
    | 'lastSignInAt'
  >
> {
  readonly roles: readonly string[];
  readonly grants: readonly Grant[];
  /** Temporary roles in addition to the permanent ones, earliest expiry first. */
  readonly temporary: readonly TemporaryGrant[];
  /** Whether an administrator admitted them. */
  readonly isAdmitted: boolean;
}

export interface UserFacts extends Readonly<
  Pick<PortalUser, 'subject' | 'username' | 'email' | 'phone' | 'name'>
> {}

const bySubject = builtOnce((on) => {
  const temporary = on
    .select({
      rows: jsonArray(
        jsonObject({
          accessGrantId: sql<string>`${heldGrant.accessGrantId}`,
          name: heldGrant.name,
          permissions: heldGrant.permissions,
          scope: heldGrant.scope,
          until: sql<Date>`${heldGrant.until}`,
        }),
        { orderBy: heldGrant.until },
      ).as('rows'),
    })
    .from(heldGrant)
    .where(and(eq(heldGrant.userId, portalUser.id), isNotNull(heldGrant.accessGrantId)));
  return on
    .select({
      id: portalUser.id,
      subject: portalUser.subject,
      username: portalUser.username,
      email: portalUser.email,
      name: portalUser.name,
      status: portalUser.status,
      preferences: portalUser.preferences,
      inAdminGroup: portalUser.inAdminGroup,
      isAdmitted: sql<boolean>`${portalUser.admittedAt} is not null`,
      lastSignInAt: portalUser.lastSignInAt,
      roles: givenRoleNames,
      grants: givenGrants,
      temporary: sql<TemporaryGrant[]>`${temporary}`,
    })
    .from(portalUser)
    .leftJoin(userRole, eq(userRole.userId, portalUser.id))
    .leftJoin(role, eq(role.id, userRole.roleId))
    .where(eq(portalUser.subject, sql.placeholder('subject')))
    .groupBy(portalUser.id)
    .prepare('user-by-subject');
});

/** The user with roles and grants in one statement, which every call makes; undefined if the subject is unknown. */
export async function findUserBySubject(
  on: Executor,
  subject: string,
): Promise<StoredUser | undefined> {
  const [user] = await bySubject(on).execute({ subject });
  return user;
}

/** The portal's ID of the user with this subject, or else this username, email address, or phone number. */
export async function findUserIdOf(
  on: Executor,
  who: { readonly subject: string | undefined; readonly identifier: string | undefined },
): Promise<string | undefined> {
  const { subject } = who;
  const identifier = who.identifier?.trim() ?? '';
  const [user] = await on
    .select({ id: portalUser.id })
    .from(portalUser)
    .where(
      subject === undefined
        ? or(
            sql`lower(${portalUser.username}) = lower(${identifier})`,
            sql`lower(${portalUser.email}) = lower(${identifier})`,
            eq(portalUser.phone, identifier),
          )
        : eq(portalUser.subject, subject),
    )
    .limit(1);
  return user?.id;
}

/** IDs of users by name; unknown names are omitted. */
export async function findUsersByName(
  on: Executor,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const wanted = sql`lower(trim(wanted.name))`;
  const rows = await on
    .select({ name: sql<string>`wanted.name`, id: portalUser.id })
    .from(sql`unnest(${sql.param([...names])}::text[]) as wanted(name)`)
    .innerJoin(
      portalUser,
      or(
        sql`lower(${portalUser.username}) = ${wanted}`,
        sql`lower(${portalUser.email}) = ${wanted}`,
        sql`${portalUser.phone} = trim(wanted.name)`,
      ),
    );
  return new Map(rows.map(({ name, id }) => [name, id]));
}

const MAX_LIKE = 200;

/** Users whose name contains a text, case-insensitively. */
export async function findUsersLike(
  on: Executor,
  text: string,
): Promise<Pick<PortalUser, 'id' | 'username'>[]> {
  const pattern = `%${likeLiteral(text.toLowerCase())}%`;
  return on
    .select({ id: portalUser.id, username: portalUser.username })
    .from(portalUser)
    .where(sql`lower(${portalUser.username}) like ${pattern}`)
    .orderBy(asc(portalUser.id))
    .limit(MAX_LIKE);
}

/** Returns one of these addresses that belongs to an active user. */
export async function findActivated(
  on: Executor,
  emails: readonly string[],
): Promise<string | undefined> {
  const [user] = await on
    .select({ email: portalUser.email })
    .from(portalUser)
    .where(
      and(
        eq(portalUser.status, 'Activated'),
        sql`lower(${portalUser.email}) = any(${sql.param([...emails])}::text[])`,
      ),
    )
    .orderBy(asc(portalUser.email))
    .limit(1);
  return user?.email ?? undefined;
}

/** Permanent grants of users by ID; users who are not activated are absent. */
export async function findPermanentGrants(
  on: Executor,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Grant[]>> {
  if (userIds.length === 0) return new Map();
  const rows = await on
    .select({ id: portalUser.id, grants: givenGrants })
    .from(portalUser)
    .leftJoin(role, holdsPermanently)
    .where(and(isAnyOf(portalUser.id, userIds), eq(portalUser.status, 'Activated')))
    .groupBy(portalUser.id);
  return new Map(rows.map(({ id, grants }) => [id, grants]));
}

/** Permissions of many users in one statement; users who are not activated are absent. */
export async function findGrantsOfSubjects(
  on: Executor,
  subjects: readonly string[],
): Promise<Map<string, readonly Grant[]>> {
  const grant = jsonObject({ permissions: heldGrant.permissions, scope: heldGrant.scope });
  const rows = await on
    .select({
      subject: portalUser.subject,
      grants: jsonArray(grant, {
        orderBy: sql`${heldGrant.roleId}, ${heldGrant.accessGrantId}`,
        filter: isNotNull(heldGrant.roleId),
      }),
    })
    .from(portalUser)
    .leftJoin(heldGrant, eq(heldGrant.userId, portalUser.id))
    .where(
      and(
        eq(portalUser.status, 'Activated'),
        sql`${portalUser.subject} in (select jsonb_array_elements_text(${JSON.stringify(subjects)}::jsonb))`,
      ),
    )
    .groupBy(portalUser.id);
  return new Map(rows.map(({ subject, grants }) => [subject, grants]));
}

/** Inserts or updates a user of the user pool. Returns the portal's ID. */
export async function upsertUser(on: Executor, id: string, facts: UserFacts): Promise<string> {
  const { subject, username, email, phone, name } = withoutServiceNames(facts);
  const [stored] = await on
    .insert(portalUser)
    .values({ id, subject, username, email, phone, name })
    .onConflictDoUpdate({ target: portalUser.subject, set: excludedFacts })
    .returning({ id: portalUser.id });
  if (!stored) throw new Error('user was neither inserted nor updated');
  return stored.id;
}

/** Attributes from the user pool, in an `insert` of the user. */
export const excludedFacts = {
  username: excluded(portalUser.username),
  email: excluded(portalUser.email),
  phone: excluded(portalUser.phone),
  name: excluded(portalUser.name),
};

/** Stores the note of the invitation. */
export async function setUserNote(on: Executor, id: string, note: string): Promise<void> {
  await on.update(portalUser).set({ note }).where(eq(portalUser.id, id));
}

/** True for exactly one call per sign-in. */
export async function markSignIn(on: Executor, userId: string, at: Date): Promise<boolean> {
  const { rowCount } = await on
    .update(portalUser)
    .set({ lastSignInAt: at })
    .where(
      and(
        eq(portalUser.id, userId),
        or(isNull(portalUser.lastSignInAt), lt(portalUser.lastSignInAt, at)),
      ),
    );
  return (rowCount ?? 0) > 0;
}

/** Stores whether the user is a member of the administrator group. */
export async function setInAdminGroup(on: Executor, userId: string, isIn: boolean): Promise<void> {
  await on.update(portalUser).set({ inAdminGroup: isIn }).where(eq(portalUser.id, userId));
}

export async function setStatus(
  tx: Transaction,
  userId: string,
  status: UserStatus,
): Promise<void> {
  await tx.update(portalUser).set({ status }).where(eq(portalUser.id, userId));
}

/** Marks the user as admitted by an administrator. This remains after their roles are removed. */
export async function markAdmitted(on: Executor, userId: string): Promise<void> {
  await on
    .update(portalUser)
    .set({ admittedAt: sql`coalesce(${portalUser.admittedAt}, ${portalNow})` })
    .where(eq(portalUser.id, userId));
}

/** The user that is linked to a person. */
export async function findUserOfPerson(
  on: Executor,
  personId: string,
): Promise<
  | (Readonly<Pick<PortalUser, 'status'>> & {
      readonly userId: string;
      readonly roles: readonly string[];
      readonly lastSignInAt: string | null;
    })
  | undefined
> {
  const [user] = await on
    .select({
      userId: portalUser.id,
      status: portalUser.status,
      lastSignInAt: portalUser.lastSignInAt,
      roles: roleNamesOf(portalUser.id),
    })
    .from(personNames)
    .innerJoin(portalUser, eq(portalUser.id, personNames.userId))
    .where(eq(personNames.personId, personId));
  return user && { ...user, lastSignInAt: isoOrNull(user.lastSignInAt) };
}
