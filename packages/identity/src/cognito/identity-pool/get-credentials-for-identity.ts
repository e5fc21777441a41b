import type pg from 'pg';
import {
  attachLogin,
  findIdentityOfLogin,
  lockIdentity,
  markIdentitySpent,
  touchIdentity,
  type PoolIdentity,
} from './identity-store.ts';
import { inTransaction } from '../../database/in-transaction.ts';
import type { GetCredentialsForIdentityInput } from '../wire/identity-pool-shapes.ts';
import { notAuthorized, tooManyRequests, WireError } from '../wire/wire-error.ts';
import type { CallOrigin } from '../wire/call-origin.ts';
import { IDENTITY_SESSION_NAME } from '../signature/find-key.ts';
import { IDENTITY_RULES } from './address-rules.ts';
import { checkLogins, type CheckedLogin } from './check-logins.ts';
import { chooseRole } from './choose-role.ts';
import { makeIdentity, requireGuestAccess } from './get-id.ts';
import type { IdentityContext } from './identity-context.ts';
import { issueCredential, type IssuedCredential } from './issue-credential.ts';

/** The wire's spelling: `SecretKey`, and the expiration in seconds since 1970 (cognito.md, sections 1 and 6). */
export interface WireCredentials {
  readonly AccessKeyId: string;
  readonly SecretKey: string;
  readonly SessionToken: string;
  readonly Expiration: number;
}

export interface GetCredentialsReply {
  readonly IdentityId: string;
  readonly Credentials: WireCredentials;
}

/**
 * Temporary credentials of an identity: a guest's, a signed-in person's, or the exchange of a guest's identity for
 * that of the login. The identity of the reply is the one that counts.
 */
export async function getCredentialsForIdentity(
  context: IdentityContext,
  input: GetCredentialsForIdentityInput,
  origin: CallOrigin,
): Promise<GetCredentialsReply> {
  const waitMs = await context.limits.hit(IDENTITY_RULES.call, origin.address);
  if (waitMs > 0) throw tooManyRequests(waitMs);
  const login = await checkLogins(context, input.Logins, origin);
  if (login === undefined) requireGuestAccess(context);
  // Before anything is changed: a refusal leaves the guest's identity as it was.
  const facts = { nowMs: context.clock.now(), address: origin.address };
  const role = chooseRole(context, { login, customRoleArn: input.CustomRoleArn, facts });
  const identityId = await inTransaction(context.pool, async (client) => {
    const identity = await lockIdentity(client, input.IdentityId);
    if (identity === undefined) throw identityNotFound(input.IdentityId);
    const chosen =
      login === undefined
        ? requireGuest(identity)
        : await exchange(context, client, { identity, login });
    await touchIdentity(client, chosen, new Date(context.clock.now()));
    return chosen;
  });
  const credential = await issueCredential(context, {
    identityId,
    role,
    sessionName: IDENTITY_SESSION_NAME,
    person: login?.person,
    lifetimeSeconds: context.settings.credentialLifetimeSeconds,
  });
  return { IdentityId: identityId, Credentials: toWire(credential) };
}

function toWire(credential: IssuedCredential): WireCredentials {
  return {
    AccessKeyId: credential.accessKeyId,
    SecretKey: credential.secretAccessKey,
    SessionToken: credential.sessionToken,
    Expiration: credential.expiresAt.getTime() / 1_000,
  };
}

function requireGuest(identity: PoolIdentity): string {
  if (identity.hasLogin || identity.spentInto !== null) {
    throw notAuthorized(`Access to Identity '${identity.identityId}' is forbidden.`);
  }
  return identity.identityId;
}

async function exchange(
  context: IdentityContext,
  client: pg.PoolClient,
  input: { readonly identity: PoolIdentity; readonly login: CheckedLogin },
): Promise<string> {
  const { identity, login } = input;
  const own = await findIdentityOfLogin(client, login);
  if (own === identity.identityId) return own;
  if (identity.hasLogin) throw loginsDoNotMatch();
  if (own !== undefined) {
    await markIdentitySpent(client, identity.identityId, own);
    return own;
  }
  if (identity.spentInto !== null) return makeIdentity(context, client, login);
  const now = new Date(context.clock.now());
  const joined = { ...login, identityId: identity.identityId };
  if (await attachLogin(client, joined, now)) return identity.identityId;
  // Another call gave the login an identity since we looked.
  const other = await findIdentityOfLogin(client, login);
  if (other === undefined) throw loginsDoNotMatch();
  await markIdentitySpent(client, identity.identityId, other);
  return other;
}

function identityNotFound(identityId: string): WireError {
  return new WireError('ResourceNotFoundException', `Identity '${identityId}' not found.`);
}

function loginsDoNotMatch(): WireError {
  return notAuthorized(
    "Logins don't match. Please include at least one valid login for this identity or identity pool.",
  );
}
