import { and, asc, eq, gt, isNull, or, sql, type SQL } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import type { ScimConnectionRow } from '@deviceportal/contract/scim';
import { portalClock, portalNow } from '../../../platform/columns.ts';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { isoOrNull } from '../../../platform/moment-cursor.ts';
import { portalUser } from '../access-tables.ts';
import { scimConnection } from '../scim-tables.ts';

/** A connection that may act, as its requests see it. */
export interface ActiveConnection {
  readonly id: string;
  readonly name: string;
  readonly roleIds: readonly string[];
}

const isActive = and(
  isNull(scimConnection.revokedAt),
  gt(scimConnection.expiresAt, portalClock),
) as SQL;

/** The connection of a token, also by the token before the last rotation while that is valid. */
export async function findConnectionByToken(
  on: Executor,
  tokenHash: string,
): Promise<ActiveConnection | undefined> {
  const [found] = await on
    .select({ id: scimConnection.id, name: scimConnection.name, roleIds: scimConnection.roleIds })
    .from(scimConnection)
    .where(
      and(
        isActive,
        or(
          eq(scimConnection.tokenHash, tokenHash),
          and(
            eq(scimConnection.previousHash, tokenHash),
            gt(scimConnection.previousEndsAt, portalClock),
          ),
        ),
      ),
    );
  return found;
}

export async function isScimConnectionActive(on: Executor, id: string): Promise<boolean> {
  const rows = await on
    .select({ id: scimConnection.id })
    .from(scimConnection)
    .where(and(eq(scimConnection.id, id), isActive));
  return rows.length > 0;
}

/** Connections that have not been revoked, for the limit of connections. */
export const openConnections = (on: Executor): SQL =>
  on
    .select({ id: scimConnection.id })
    .from(scimConnection)
    .where(isNull(scimConnection.revokedAt))
    .getSQL();

export async function insertConnection(
  tx: Transaction,
  added: Pick<
    typeof scimConnection.$inferInsert,
    'id' | 'name' | 'roleIds' | 'tokenHash' | 'createdById' | 'expiresAt'
  >,
): Promise<void> {
  await tx.insert(scimConnection).values(added);
}

/** @throws PortalError 2003 if there is no such connection, or it is revoked */
export async function lockConnection(
  tx: Transaction,
  id: string,
): Promise<Pick<typeof scimConnection.$inferSelect, 'id' | 'name' | 'roleIds' | 'tokenHash'>> {
  const [found] = await tx
    .select({
      id: scimConnection.id,
      name: scimConnection.name,
      roleIds: scimConnection.roleIds,
      tokenHash: scimConnection.tokenHash,
    })
    .from(scimConnection)
    .where(and(eq(scimConnection.id, id), isNull(scimConnection.revokedAt)))
    .for('update');
  if (found === undefined) throw new PortalError('notFound', { facts: { id } });
  return found;
}

export async function changeConnection(
  tx: Transaction,
  id: string,
  change: Partial<
    Pick<
      typeof scimConnection.$inferInsert,
      'name' | 'roleIds' | 'tokenHash' | 'previousHash' | 'previousEndsAt' | 'expiresAt'
    >
  >,
): Promise<void> {
  await tx.update(scimConnection).set(change).where(eq(scimConnection.id, id));
}

export async function markRevoked(tx: Transaction, id: string): Promise<void> {
  await tx
    .update(scimConnection)
    .set({ revokedAt: portalNow, previousHash: null, previousEndsAt: null })
    .where(eq(scimConnection.id, id));
}

export interface ConnectionUse {
  readonly id: string;
  readonly isChange: boolean;
  /** Undefined for a request that succeeded. */
  readonly error: string | undefined;
}

/** Stores when the directory last asked, changed something, and was rejected. */
export async function noteUse(on: Executor, { id, isChange, error }: ConnectionUse): Promise<void> {
  await on
    .update(scimConnection)
    .set({
      lastRequestAt: portalClock,
      ...(isChange && error === undefined && { lastChangeAt: portalClock }),
      ...(error !== undefined && { lastErrorAt: portalClock, lastError: error }),
    })
    .where(eq(scimConnection.id, id));
}

/** Connections in the order of their creation, without revoked ones. */
export async function listConnections(on: Executor): Promise<ScimConnectionRow[]> {
  const rows = await on
    .select({
      id: scimConnection.id,
      name: scimConnection.name,
      roleIds: scimConnection.roleIds,
      createdBy: sql<string | null>`${portalUser.username}`,
      createdAt: scimConnection.createdAt,
      expiresAt: scimConnection.expiresAt,
      previousEndsAt: scimConnection.previousEndsAt,
      lastRequestAt: scimConnection.lastRequestAt,
      lastChangeAt: scimConnection.lastChangeAt,
      lastErrorAt: scimConnection.lastErrorAt,
      lastError: scimConnection.lastError,
    })
    .from(scimConnection)
    .leftJoin(portalUser, eq(portalUser.id, scimConnection.createdById))
    .where(isNull(scimConnection.revokedAt))
    .orderBy(asc(scimConnection.createdAt), asc(scimConnection.id));
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    previousEndsAt: isoOrNull(row.previousEndsAt),
    lastRequestAt: isoOrNull(row.lastRequestAt),
    lastChangeAt: isoOrNull(row.lastChangeAt),
    lastErrorAt: isoOrNull(row.lastErrorAt),
  }));
}
