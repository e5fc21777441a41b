import type { CredentialsAndIdentityIdProvider, JWT } from '@aws-amplify/core';
import { CREDENTIALS_REFRESH_MS } from '@deviceportal/contract/constants';
import {
  createFederatedInfoStore,
  type FederatedInfoStore,
  type InfoStorage,
} from './federated-info-store.ts';
import {
  createIdentityPoolClient,
  IdentityPoolError,
  type IdentityPoolCall,
  type IdentityPoolClientOptions,
} from './identity-pool-client.ts';

type CredentialsAndIdentityId = NonNullable<
  Awaited<ReturnType<CredentialsAndIdentityIdProvider['getCredentialsAndIdentityId']>>
>;

export interface CredentialsProviderOptions extends IdentityPoolClientOptions {
  readonly identityPoolId: string;
  /** Account of the pool, sent with `GetId`; null to omit it. */
  readonly accountId?: string | null;
  readonly storage: InfoStorage;
  readonly nowMs: () => number;
}

interface Held {
  readonly value: CredentialsAndIdentityId;
  readonly owner: string;
  readonly refreshAtMs: number;
}

/** The owner of guest credentials. */
const GUEST = '';

/**
 * Cloud credentials from the identity pool: for a guest, and after the sign-in for the user, which
 * exchanges the guest’s identity. Cached in memory until they expire or for 50 minutes
 * (docs/design/portal.md, sections 4 and 9).
 */
export function createCredentialsProvider(
  options: CredentialsProviderOptions,
): CredentialsAndIdentityIdProvider {
  const { nowMs } = options;
  const pool: PoolAccess = {
    call: createIdentityPoolClient(options),
    info: createFederatedInfoStore(options.storage),
    identityPoolId: options.identityPoolId,
    accountId: options.accountId ?? null,
  };
  let held: Held | undefined;
  const underWay = new Map<string, Promise<CredentialsAndIdentityId | undefined>>();

  const renew = async (
    owner: string,
    idToken: JWT | undefined,
  ): Promise<CredentialsAndIdentityId | undefined> => {
    const value =
      idToken === undefined ? await guestCredentials(pool) : await ownCredentials(pool, idToken);
    if (value === undefined) return undefined;
    const expiresAtMs = value.credentials.expiration?.getTime() ?? Number.POSITIVE_INFINITY;
    held = { value, owner, refreshAtMs: Math.min(expiresAtMs, nowMs() + CREDENTIALS_REFRESH_MS) };
    return value;
  };

  return {
    async getCredentialsAndIdentityId({ tokens, forceRefresh }) {
      const idToken = tokens?.idToken;
      const owner = idToken === undefined ? GUEST : String(idToken.payload.sub);
      const isFresh = held?.owner === owner && nowMs() < held.refreshAtMs;
      if (held !== undefined && isFresh && !forceRefresh) return held.value;
      // Drops the cached secret of another user.
      if (held?.owner !== owner) held = undefined;
      const renewal =
        underWay.get(owner) ?? renew(owner, idToken).finally(() => underWay.delete(owner));
      underWay.set(owner, renewal);
      return renewal;
    },
    clearCredentialsAndIdentityId() {
      held = undefined;
      pool.info.forgetFederated();
    },
  };
}

interface PoolAccess {
  readonly call: IdentityPoolCall;
  readonly info: FederatedInfoStore;
  readonly identityPoolId: string;
  readonly accountId: string | null;
}

/** Undefined if the pool allows no guests. */
async function guestCredentials(pool: PoolAccess): Promise<CredentialsAndIdentityId | undefined> {
  const { call, info } = pool;
  try {
    const known = info.guest();
    if (known !== undefined) {
      try {
        return toCredentials(await call('GetCredentialsForIdentity', { IdentityId: known }));
      } catch (error) {
        // The identity was exchanged by a sign-in in another tab, or deleted.
        if (!isStale(error)) throw error;
        info.forgetGuest();
      }
    }
    const identityId = await getId(pool);
    info.keepGuest(identityId);
    return toCredentials(await call('GetCredentialsForIdentity', { IdentityId: identityId }));
  } catch (error) {
    if (error instanceof IdentityPoolError && error.name === 'NotAuthorizedException')
      return undefined;
    throw error;
  }
}

async function ownCredentials(pool: PoolAccess, idToken: JWT): Promise<CredentialsAndIdentityId> {
  const { call, info } = pool;
  const subject = String(idToken.payload.sub);
  const provider = String(idToken.payload.iss).replace(/^https?:\/\//, '');
  const logins = { [provider]: idToken.toString() };
  const forIdentity = async (identityId: string): Promise<CredentialsAndIdentityId> =>
    toCredentials(
      await call('GetCredentialsForIdentity', { IdentityId: identityId, Logins: logins }),
    );
  const stored = info.federated();
  const known = stored?.provider === provider && stored.subject === subject ? stored : undefined;
  // The guest’s identity becomes the user’s, or is merged into an existing one (exchange).
  const candidate = known?.identityId ?? info.guest();
  let value: CredentialsAndIdentityId | undefined;
  if (candidate !== undefined) {
    value = await forIdentity(candidate).catch((error: unknown) => {
      if (isStale(error)) return undefined;
      throw error;
    });
  }
  value ??= await forIdentity(await getId(pool, logins));
  info.forgetGuest();
  info.keepFederated({
    provider,
    subject,
    // The identity of the response is authoritative.
    identityId: value.identityId ?? '',
    tokenExpiresAtMs: (idToken.payload.exp ?? 0) * 1_000,
  });
  return value;
}

async function getId(
  { call, identityPoolId, accountId }: PoolAccess,
  logins?: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await call('GetId', {
    IdentityPoolId: identityPoolId,
    ...(accountId !== null && { AccountId: accountId }),
    ...(logins !== undefined && { Logins: logins }),
  });
  const identityId = answer['IdentityId'];
  if (!identityId) throw new Error('The identity pool returned no identity.');
  return String(identityId);
}

/**
 * Whether the stored identity no longer exists or belongs to another user, so that a new one must
 * be requested.
 */
function isStale(error: unknown): boolean {
  if (!(error instanceof IdentityPoolError)) return false;
  return (
    error.name === 'ResourceNotFoundException' ||
    (error.name === 'NotAuthorizedException' && /forbidden|don't match/i.test(error.message))
  );
}

/**
 * Credentials must contain an access key, a secret key, and an identity (docs/design/portal.md,
 * section 5).
 */
function toCredentials(answer: Record<string, unknown>): CredentialsAndIdentityId {
  const credentials = (answer['Credentials'] ?? {}) as Record<string, unknown>;
  const accessKeyId = credentials['AccessKeyId'];
  const secretAccessKey = credentials['SecretKey'];
  const identityId = answer['IdentityId'];
  if (!accessKeyId || !secretAccessKey || !identityId) {
    throw new Error('The identity pool returned incomplete credentials.');
  }
  const expiresAtMs = Number(credentials['Expiration'] ?? Number.NaN) * 1_000;
  return {
    identityId: String(identityId),
    credentials: {
      accessKeyId: String(accessKeyId),
      secretAccessKey: String(secretAccessKey),
      sessionToken: String(credentials['SessionToken'] ?? ''),
      ...(Number.isFinite(expiresAtMs) && { expiration: new Date(expiresAtMs) }),
    },
  };
}
