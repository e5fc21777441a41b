import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { attachLogin, findIdentityOfLogin, insertIdentity, type Login } from './identity-store.ts';
import { inTransaction } from '../../database/in-transaction.ts';
import { ADDRESS_RULES } from '../../limits/rate-limits.ts';
import type { CallOrigin } from '../wire/call-origin.ts';
import type { GetIdInput } from '../wire/identity-pool-shapes.ts';
import { notAuthorized, tooManyRequests, WireError } from '../wire/wire-error.ts';
import { IDENTITY_RULES } from './address-rules.ts';
import { checkLogins } from './check-logins.ts';
import type { IdentityContext } from './identity-context.ts';

/** The permanent identity of a login; without a login, a new guest. */
export async function getId(
  context: IdentityContext,
  input: GetIdInput,
  origin: CallOrigin,
): Promise<{ readonly IdentityId: string }> {
  if (input.IdentityPoolId !== context.settings.identityPoolId) {
    throw new WireError(
      'ResourceNotFoundException',
      `IdentityPool '${input.IdentityPoolId}' not found.`,
    );
  }
  const subscriber = origin.address;
  const callWaitMs = await context.limits.hit(IDENTITY_RULES.call, subscriber);
  if (callWaitMs > 0) throw tooManyRequests(callWaitMs);
  const login = await checkLogins(context, input.Logins, origin);
  if (login !== undefined) return { IdentityId: await identityOfLogin(context, login) };
  requireGuestAccess(context);
  const waitMs = await context.limits.hit(ADDRESS_RULES.newGuest, subscriber);
  if (waitMs > 0) throw tooManyRequests(waitMs);
  const identityId = newIdentityId(context);
  await insertIdentity(context.pool, identityId, new Date(context.clock.now()));
  return { IdentityId: identityId };
}

/** @throws NotAuthorizedException when guests are switched off */
export function requireGuestAccess({ settings }: Pick<IdentityContext, 'settings'>): void {
  if (settings.guests === 'off') {
    throw notAuthorized('Unauthenticated access is not supported for this identity pool.');
  }
}

/** Finds or creates the identity of a login; concurrent calls get the same one. */
async function identityOfLogin(context: IdentityContext, login: Login): Promise<string> {
  const known = await findIdentityOfLogin(context.pool, login);
  return known ?? inTransaction(context.pool, (client) => makeIdentity(context, client, login));
}

/**
 * Inside a transaction: creates an identity for the login, or returns the one that a concurrent
 * call created.
 */
export async function makeIdentity(
  context: IdentityContext,
  client: pg.PoolClient,
  login: Login,
): Promise<string> {
  const identityId = newIdentityId(context);
  const now = new Date(context.clock.now());
  await client.query('savepoint new_identity');
  await insertIdentity(client, identityId, now);
  if (await attachLogin(client, { ...login, identityId }, now)) return identityId;
  await client.query('rollback to savepoint new_identity');
  const other = await findIdentityOfLogin(client, login);
  if (other === undefined) throw new Error('The identity of a login no longer exists.');
  return other;
}

function newIdentityId({ settings }: Pick<IdentityContext, 'settings'>): string {
  return `${settings.region}:${randomUUID()}`;
}
