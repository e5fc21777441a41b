import type { NewApiToken, NewPersonalToken } from '@deviceportal/contract/api-tokens';
import { newId } from '@deviceportal/contract/ids';
import type { Transaction } from '../platform/database/database.ts';
import { insertToken } from './data/api-token-queries.ts';
import { recordApiToken, type TokenActor } from './record-api-token.ts';
import { hashOfApiToken, newApiToken } from './token-format.ts';

/** Stores a personal token that `requirePersonalToken` has accepted. */
export async function insertPersonalToken(
  tx: Transaction,
  by: TokenActor,
  {
    ownerId,
    expiresAt,
    wanted: { name, permissions, scope },
    more,
  }: {
    readonly ownerId: string;
    readonly expiresAt: Date;
    readonly wanted: NewPersonalToken;
    /** Further data of the audit event. */
    readonly more?: Readonly<Record<string, unknown>>;
  },
): Promise<NewApiToken> {
  const token = { id: newId(), kind: 'personal', name } as const;
  const secret = newApiToken('personal');
  await insertToken(tx, {
    ...token,
    ...{ ownerId, createdById: ownerId, permissions, scope, roleIds: [], expiresAt },
    tokenHash: hashOfApiToken(secret) ?? '',
  });
  await recordApiToken(tx, by, {
    type: 'access.api-token-created',
    token,
    more: { permissions, scope, expiresAt, ...more },
  });
  return { id: token.id, token: secret, expiresAt: expiresAt.toISOString() };
}
