import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { ApiTokenRow, ApiTokenState } from '@deviceportal/contract/api-tokens';
import type { Page } from '@deviceportal/contract/pages';
import { roleRecords } from '../../access/data/role-records.ts';
import { userNamesAs } from '../../access/data/user-names.ts';
import { portalClock } from '../../platform/columns.ts';
import type { Executor } from '../../platform/database/database.ts';
import { jsonArray, jsonObject } from '../../platform/database/json-rows.ts';
import { decodeMomentCursor, encodeMomentCursor, isoOrNull } from '../../platform/moment-cursor.ts';
import { isTokenActive } from './api-token-queries.ts';
import { apiToken } from './api-tokens-tables.ts';

const owner = userNamesAs('token_owner');
const creator = userNamesAs('token_creator');

const state = sql<ApiTokenState>`case
  when ${apiToken.revokedAt} is not null then 'revoked'
  when ${apiToken.ownerLeftAt} is not null then 'owner-inactive'
  when ${apiToken.expiresAt} <= ${portalClock} then 'expired'
  else 'active' end`;

const endedAt = sql<string | null>`case
  when ${apiToken.expiresAt} <= ${portalClock}
    then least(${apiToken.revokedAt}, ${apiToken.ownerLeftAt}, ${apiToken.expiresAt})
  else least(${apiToken.revokedAt}, ${apiToken.ownerLeftAt}) end`;

const rolesOf = (on: Executor) =>
  sql<ApiTokenRow['roles']>`(${on
    .select({
      roles: jsonArray(jsonObject({ id: roleRecords.roleId, name: roleRecords.name }), {
        orderBy: roleRecords.name,
      }).as('roles'),
    })
    .from(roleRecords)
    .where(sql`${apiToken.roleIds} ? ${roleRecords.roleId}::text`)})`;

async function selectTokens(
  on: Executor,
  condition: SQL | undefined,
  limit: number,
): Promise<(ApiTokenRow & { readonly position: string })[]> {
  const rows = await on
    .select({
      id: apiToken.id,
      kind: apiToken.kind,
      name: apiToken.name,
      ownerId: apiToken.ownerId,
      ownerName: owner.username,
      createdBy: creator.username,
      permissions: apiToken.permissions,
      scope: apiToken.scope,
      roles: rolesOf(on),
      createdAt: apiToken.createdAt,
      position: sql<string>`${apiToken.createdAt}::text`,
      expiresAt: apiToken.expiresAt,
      lastUsedAt: apiToken.lastUsedAt,
      lastUsedAddress: apiToken.lastUsedAddress,
      state,
      endedAt,
    })
    .from(apiToken)
    .leftJoin(owner, eq(owner.userId, apiToken.ownerId))
    .leftJoin(creator, eq(creator.userId, apiToken.createdById))
    .where(condition)
    .orderBy(desc(apiToken.createdAt), desc(apiToken.id))
    .limit(limit);
  return rows.map(({ ownerId, ownerName, ...row }) => ({
    ...row,
    owner: ownerId === null || ownerName === null ? null : { id: ownerId, username: ownerName },
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    lastUsedAt: isoOrNull(row.lastUsedAt),
    endedAt: isoOrNull(row.endedAt),
  }));
}

const withoutPosition = ({
  position: _position,
  ...row
}: ApiTokenRow & { readonly position: string }): ApiTokenRow => row;

/** Ended tokens are shown for as long as they are kept, which the growth limit bounds. */
const MOST_OWN = 500;

/** The personal tokens of a user, newest first. */
export async function listTokensOf(on: Executor, ownerId: string): Promise<ApiTokenRow[]> {
  return (await selectTokens(on, eq(apiToken.ownerId, ownerId), MOST_OWN)).map(withoutPosition);
}

/** The tokens of all users and services, newest first. */
export async function listAllTokens(
  on: Executor,
  {
    active,
    cursor,
    pageSize,
  }: { readonly active: boolean; readonly cursor: string | null; readonly pageSize: number },
): Promise<Page<ApiTokenRow>> {
  const after = decodeMomentCursor(cursor);
  const found = await selectTokens(
    on,
    and(
      active ? isTokenActive : undefined,
      after === null
        ? undefined
        : sql`(${apiToken.createdAt}, ${apiToken.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
    ),
    pageSize + 1,
  );
  const rows = found.slice(0, pageSize);
  const last = found.length > pageSize ? rows.at(-1) : undefined;
  return {
    rows: rows.map(withoutPosition),
    nextCursor: last ? encodeMomentCursor({ at: last.position, id: last.id }) : null,
  };
}
