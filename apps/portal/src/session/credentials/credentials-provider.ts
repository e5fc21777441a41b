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
  readonly storage: InfoStorage;
  readonly nowMs: () => number;
}

interface Held {
  readonly value: CredentialsAndIdentityId;
  readonly owner: string;
  readonly refreshAtMs: number;
}

/** Everyone who has not signed in. */
const GUEST = '';

/**
 * Cloud credentials from the identity pool: a guest's, and from sign-in on the person's, for which the guest's identity
 * is exchanged. They are kept in memory until they expire or 50 minutes have passed (docs/design/portal.md, sections 4
 * and 9).
 */
export function createCredentialsProvider(
  options: CredentialsProviderOptions,
): CredentialsAndIdentityIdProvider {
  const { nowMs } = options;
  const pool: PoolAccess = {
    call: createIdentityPoolClient(options),
    info: createFederatedInfoStore(options.storage),
    identityPoolId: options.identityPoolId,
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
      // Another person's secret has no business here any more.
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
}

/** Undefined where the pool takes no guests. */
async function guestCredentials(pool: PoolAccess): Promise<CredentialsAndIdentityId | undefined> {
  const { call, info } = pool;
  try {
    const known = info.guest();
    if (known !== undefined) {
      try {
        return toCredentials(await call('GetCredentialsForIdentity', { IdentityId: known }));
      } catch (error) {
        // Spent by a sign-in in another tab, or cleaned away.
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
  // A guest's identity becomes the person's, or is spent into the one that they have (the exchange).
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
    // The identity of the reply is the one that counts.
    identityId: value.identityId ?? '',
    tokenExpiresAtMs: (idToken.payload.exp ?? 0) * 1_000,
  });
  return value;
}

async function getId(
  { call, identityPoolId }: PoolAccess,
  logins?: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await call('GetId', {
    IdentityPoolId: identityPoolId,
    ...(logins !== undefined && { Logins: logins }),
  });
  const identityId = answer['IdentityId'];
  if (!identityId) throw new Error('The identity pool answered without an identity.');
  return String(identityId);
}

/** The identity that was remembered is nobody's, or somebody else's; asking for one anew helps. */
function isStale(error: unknown): boolean {
  if (!(error instanceof IdentityPoolError)) return false;
  return (
    error.name === 'ResourceNotFoundException' ||
    (error.name === 'NotAuthorizedException' && /forbidden|don't match/i.test(error.message))
  );
}

/** A refreshed credential must hold an access key, a secret key and an identity (docs/design/portal.md, section 5). */
function toCredentials(answer: Record<string, unknown>): CredentialsAndIdentityId {
  const credentials = (answer['Credentials'] ?? {}) as Record<string, unknown>;
  const accessKeyId = credentials['AccessKeyId'];
  const secretAccessKey = credentials['SecretKey'];
  const identityId = answer['IdentityId'];
  if (!accessKeyId || !secretAccessKey || !identityId) {
    throw new Error('The identity pool answered without complete credentials.');
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
