import { DEVICE_GRANT } from '@deviceportal/contract/device-grant';
import { PortalError } from '@deviceportal/contract/errors';
import { serializeAccessChange } from '../../access/serialize-access-change.ts';
import { systemActor } from '../../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { RequestOrigin } from '../../platform/viewer.ts';
import { lockToken, markTokenRevoked } from '../data/api-token-queries.ts';
import {
  findApprover,
  lockByDeviceCode,
  markCollected,
  noteAsked,
} from '../data/device-authorization-queries.ts';
import { insertPersonalToken } from '../insert-personal-token.ts';
import { recordApiToken } from '../record-api-token.ts';
import { requirePersonalToken } from '../require-personal-token.ts';
import { hashOfDeviceCode } from './device-code.ts';
import type { DeviceGrantDeps } from './device-grant-deps.ts';
import { OAuthError } from './oauth-error.ts';

/** RFC 6749, section 5.1. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  /** Permissions, separated by spaces. */
  readonly scope: string;
}

/**
 * Gives an application its token, once, after a user has approved (RFC 8628, section 3.4). What the user has approved is
 * checked again, because they may have lost it since.
 * @throws OAuthError as in RFC 8628, section 3.5
 */
export async function collectToken(
  deps: DeviceGrantDeps,
  { deviceCode, clientId }: { readonly deviceCode: string; readonly clientId: string },
  origin: RequestOrigin,
): Promise<TokenResponse> {
  const deviceCodeHash = hashOfDeviceCode(deviceCode);
  if (deviceCodeHash === undefined) throw unknownCode();
  // Most requests find no approval: they do not take the lock of access changes.
  const refusal = await inTransaction(deps.database, (tx) =>
    ask(tx, { deviceCodeHash, clientId }, origin),
  );
  if (refusal !== undefined) throw refusal;
  try {
    return await serializeAccessChange(deps.database, (tx) =>
      issue(tx, deps, { deviceCodeHash, origin }),
    );
  } catch (error) {
    if (!(error instanceof PortalError) || error.httpStatus >= 500) throw error;
    throw new OAuthError('access_denied', error.message, { cause: error });
  }
}

/** @returns why there is no token; undefined if there is one. Returned, because what it stores must be committed. */
async function ask(
  tx: Transaction,
  { deviceCodeHash, clientId }: { readonly deviceCodeHash: string; readonly clientId: string },
  origin: RequestOrigin,
): Promise<OAuthError | undefined> {
  const found = await lockByDeviceCode(tx, deviceCodeHash);
  if (found === undefined || found.clientId !== clientId) return unknownCode();
  const { id, state, tokenId, isExpired } = found;
  if (state === 'collected') {
    await revokeRepeated(tx, tokenId, origin);
    return unknownCode();
  }
  if (isExpired) return new OAuthError('expired_token', 'The code has expired. Start again.');
  if (await noteAsked(tx, id, DEVICE_GRANT.intervalSeconds)) {
    return new OAuthError('slow_down', 'Ask less often.');
  }
  if (state === 'denied') return denied();
  if (state === 'pending') {
    return new OAuthError('authorization_pending', 'No user has approved yet.');
  }
  return undefined;
}

async function issue(
  tx: Transaction,
  deps: DeviceGrantDeps,
  { deviceCodeHash, origin }: { readonly deviceCodeHash: string; readonly origin: RequestOrigin },
): Promise<TokenResponse> {
  const found = await lockByDeviceCode(tx, deviceCodeHash);
  if (found?.state !== 'approved' || found.isExpired) throw unknownCode();
  const { id, clientId, decidedById, approved } = found;
  const approver = decidedById === null ? undefined : await findApprover(tx, decidedById);
  if (approver === undefined || approved === null) throw denied();
  const { subject, username: name } = approver;
  const { administration } = deps.directory;
  if ((await administration?.isEnabled(subject)) === false) throw denied();
  const { holder, expiresAt } = await requirePersonalToken(tx, deps, { subject, wanted: approved });
  const { userId: ownerId } = holder;
  const actor = { kind: 'user', id: ownerId, name, address: origin.address } as const;
  const made = await insertPersonalToken(
    tx,
    { actor, requestId: origin.requestId },
    { ownerId, expiresAt, wanted: approved, more: { clientId } },
  );
  await markCollected(tx, id, made.id);
  return {
    access_token: made.token,
    token_type: 'Bearer',
    expires_in: Math.floor((expiresAt.getTime() - deps.clock().getTime()) / 1_000),
    scope: approved.permissions.join(' '),
  };
}

/** A second use of a device code means that two parties know it, so the token of the first one ends. */
async function revokeRepeated(
  tx: Transaction,
  tokenId: string | null,
  { address, requestId }: RequestOrigin,
): Promise<void> {
  const token = tokenId === null ? undefined : await lockToken(tx, tokenId);
  if (token === undefined) return;
  await markTokenRevoked(tx, token.id);
  await recordApiToken(
    tx,
    { actor: { ...systemActor, address }, requestId },
    { type: 'access.api-token-revoked', token, more: { reason: 'device-code-repeated' } },
  );
}

const unknownCode = (): OAuthError =>
  new OAuthError('invalid_grant', 'The device code is not valid.');
const denied = (): OAuthError => new OAuthError('access_denied', 'The sign-in was denied.');
