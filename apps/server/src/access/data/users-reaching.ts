import { and, asc, eq, exists, or, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Permission } from '@deviceportal/contract/permissions';
import { scopeReaches } from '../../devices/data/scope-reaches.ts';
import type { Executor } from '../../platform/database/database.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import { portalUser } from './access-tables.ts';
import { containsAny, currentGrantsAs } from './current-grants.ts';

export interface ReachingUser {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

export interface ReachingUsers {
  /** Of each list, a user holds one permission on one of the devices, or on all devices. */
  readonly permissions: readonly (readonly Permission[])[];
  /** A query with the columns `country`, `model`, and `labels`. */
  readonly devices: SQL;
  /** Only this user. */
  readonly id?: string;
  /** Part of a name or username. */
  readonly text?: string;
  readonly limit: number;
}

const held = currentGrantsAs('held');
const anyDevice = { country: sql`null::text`, model: sql`null::text`, labels: sql`'{}'::jsonb` };
const oneDevice = { country: sql`one.country`, model: sql`one.model`, labels: sql`one.labels` };

/** Users who can sign in and whose roles reach one of the devices, by name. */
export async function findUsersReaching(
  on: Executor,
  { permissions, devices, id, text = '', limit }: ReachingUsers,
): Promise<ReachingUser[]> {
  return on
    .select({ id: portalUser.id, username: portalUser.username, name: portalUser.name })
    .from(portalUser)
    .where(
      and(
        eq(portalUser.status, 'Activated'),
        id === undefined ? undefined : eq(portalUser.id, id),
        text === '' ? undefined : isNamed(text),
        ...permissions.map((some) => reaches(some, devices)),
      ),
    )
    .orderBy(asc(sql`lower(${portalUser.name})`), asc(portalUser.id))
    .limit(limit);
}

function isNamed(text: string): SQL | undefined {
  const wanted = `%${likeLiteral(text.toLowerCase())}%`;
  return or(
    sql`lower(${portalUser.name}) like ${wanted}`,
    sql`lower(${portalUser.username}) like ${wanted}`,
  );
}

const reaches = (some: readonly Permission[], devices: SQL): SQL =>
  exists(
    new QueryBuilder()
      .select({ userId: held.userId })
      .from(held)
      .where(
        and(
          eq(held.userId, portalUser.id),
          containsAny(held.permissions, some),
          or(
            scopeReaches(held.scope, anyDevice),
            sql`exists (select from (${devices}) one where ${scopeReaches(held.scope, oneDevice)})`,
          ),
        ),
      ),
  );
