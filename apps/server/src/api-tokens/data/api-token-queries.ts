import { and, eq, gt, isNull, lt, notInArray, or, sql, desc, type SQL } from 'drizzle-orm';
import { userNames } from '../../access/data/user-names.ts';
import { portalClock, portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { apiToken, apiTokenAddress } from './api-tokens-tables.ts';

export type StoredToken = Readonly<
  Pick<
    typeof apiToken.$inferSelect,
    | 'id'
    | 'kind'
    | 'name'
    | 'ownerId'
    | 'permissions'
    | 'scope'
    | 'roleIds'
    | 'createdAt'
    | 'expiresAt'
  >
>;

/** Why a token that exists cannot be used. */
export type TokenEnd = 'expired' | 'revoked' | 'owner-left';

export interface FoundToken extends StoredToken {
  readonly end: TokenEnd | null;
  readonly ownerSubject: string | null;
}

const columns = {
  id: apiToken.id,
  kind: apiToken.kind,
  name: apiToken.name,
  ownerId: apiToken.ownerId,
  permissions: apiToken.permissions,
  scope: apiToken.scope,
  roleIds: apiToken.roleIds,
  createdAt: apiToken.createdAt,
  expiresAt: apiToken.expiresAt,
};

/** Tokens that have not ended. */
export const isTokenActive = and(
  isNull(apiToken.revokedAt),
  isNull(apiToken.ownerLeftAt),
  gt(apiToken.expiresAt, portalClock),
) as SQL;

export const isActiveToken = async (on: Executor, id: string): Promise<boolean> =>
  (await on.$count(apiToken, and(eq(apiToken.id, id), isTokenActive))) > 0;

const endOfToken = sql<TokenEnd | null>`case
  when ${apiToken.revokedAt} is not null then 'revoked'
  when ${apiToken.ownerLeftAt} is not null then 'owner-left'
  when ${apiToken.expiresAt} <= ${portalClock} then 'expired' end`;

export async function findTokenByHash(
  on: Executor,
  tokenHash: string,
): Promise<FoundToken | undefined> {
  const [found] = await on
    .select({ ...columns, end: endOfToken, ownerSubject: userNames.subject })
    .from(apiToken)
    .leftJoin(userNames, eq(userNames.userId, apiToken.ownerId))
    .where(eq(apiToken.tokenHash, tokenHash));
  return found;
}

/** Tokens that count toward a limit: active ones, and those of the last day, so that revoked ones are limited, too. */
export const countedTokens = (on: Executor, ownerId: string | null): SQL =>
  on
    .select({ id: apiToken.id })
    .from(apiToken)
    .where(
      and(
        ownerId === null ? eq(apiToken.kind, 'service') : eq(apiToken.ownerId, ownerId),
        or(isTokenActive, gt(apiToken.createdAt, sql`${portalNow} - interval '1 day'`)),
      ),
    )
    .getSQL();

export async function insertToken(
  tx: Transaction,
  token: Omit<typeof apiToken.$inferInsert, 'createdAt' | 'lastUsedAt' | 'revokedAt'>,
): Promise<void> {
  await tx.insert(apiToken).values(token);
}

/** The token, locked; undefined if it does not exist or has ended. */
export async function lockToken(tx: Transaction, id: string): Promise<StoredToken | undefined> {
  const [found] = await tx
    .select(columns)
    .from(apiToken)
    .where(and(eq(apiToken.id, id), isTokenActive))
    .for('update');
  return found;
}

/** As `lockToken`. */
export async function lockTokenByHash(
  tx: Transaction,
  tokenHash: string,
): Promise<StoredToken | undefined> {
  const [found] = await tx
    .select(columns)
    .from(apiToken)
    .where(and(eq(apiToken.tokenHash, tokenHash), isTokenActive))
    .for('update');
  return found;
}

export async function markTokenRevoked(tx: Transaction, id: string): Promise<void> {
  await tx.update(apiToken).set({ revokedAt: portalNow }).where(eq(apiToken.id, id));
}

/** Stores the minute and the address of the last use. */
export async function noteTokenUse(on: Executor, id: string, address: string): Promise<void> {
  const minute = sql`date_trunc('minute', ${portalClock})`;
  await on
    .update(apiToken)
    .set({ lastUsedAt: minute, lastUsedAddress: address })
    .where(
      and(
        eq(apiToken.id, id),
        or(
          isNull(apiToken.lastUsedAt),
          lt(apiToken.lastUsedAt, minute),
          sql`${apiToken.lastUsedAddress} is distinct from ${address}`,
        ),
      ),
    );
}

/** Addresses that are kept for each token, and that can be new in one day. */
const MOST_ADDRESSES = 100;

/**
 * Whether the token was never used from this address before, among the last hundred addresses. After a hundred new ones
 * in a day, further ones are not kept: a single token could otherwise fill the audit trail.
 */
export async function addTokenAddress(
  tx: Transaction,
  { id: tokenId, ownerId }: Pick<StoredToken, 'id' | 'ownerId'>,
  address: string,
): Promise<boolean> {
  const isOfToken = eq(apiTokenAddress.tokenId, tokenId);
  const today = await tx.$count(
    apiTokenAddress,
    and(isOfToken, gt(apiTokenAddress.firstUsedAt, sql`${portalNow} - interval '1 day'`)),
  );
  if (today >= MOST_ADDRESSES) return false;
  const { rowCount } = await tx
    .insert(apiTokenAddress)
    .values({ tokenId, address, ownerId })
    .onConflictDoNothing();
  if ((rowCount ?? 0) === 0) return false;
  const newest = tx
    .select({ address: apiTokenAddress.address })
    .from(apiTokenAddress)
    .where(isOfToken)
    .orderBy(desc(apiTokenAddress.firstUsedAt), apiTokenAddress.address)
    .limit(MOST_ADDRESSES);
  await tx
    .delete(apiTokenAddress)
    .where(and(isOfToken, notInArray(apiTokenAddress.address, newest)));
  return true;
}
