import { getTableName, lt, notInArray, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { IDEMPOTENCY_DAYS } from '@deviceportal/contract/public-operation';
import { isHeld } from '../../legal-holds/data/held.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Retention } from '../../platform/retention.ts';
import {
  apiToken,
  apiTokenAddress,
  deviceAuthorization,
  idempotencyKey,
  userCodeFailure,
} from './api-tokens-tables.ts';
import { isAuthorizationForgotten } from './device-authorization-queries.ts';

/** Tokens that ended 90 days ago, their addresses, old idempotency keys, and expired sign-ins of applications. */
export const apiTokenRetentions = (): Retention[] => [
  {
    table: getTableName(apiToken),
    ended: sql`least(${apiToken.revokedAt}, ${apiToken.ownerLeftAt}, ${apiToken.expiresAt})
      < ${portalNow} - interval '90 days'
      and not ${isHeld({ user: apiToken.ownerId, at: apiToken.createdAt })}`,
  },
  {
    table: getTableName(apiTokenAddress),
    ended: notInArray(
      apiTokenAddress.tokenId,
      new QueryBuilder().select({ id: apiToken.id }).from(apiToken),
    ),
  },
  {
    table: getTableName(idempotencyKey),
    ended: lt(idempotencyKey.at, sql`${portalNow} - make_interval(days => ${IDEMPOTENCY_DAYS})`),
  },
  { table: getTableName(deviceAuthorization), ended: isAuthorizationForgotten },
  { table: getTableName(userCodeFailure), ended: lt(userCodeFailure.until, portalNow) },
];
