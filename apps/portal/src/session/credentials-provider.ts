import type { CredentialsAndIdentityIdProvider } from '@aws-amplify/core';
import { CREDENTIALS_REFRESH_MS } from '@deviceportal/contract/constants';
import {
  createIdentityPoolClient,
  type IdentityPoolClientOptions,
} from './identity-pool-client.ts';

type CredentialsAndIdentityId = NonNullable<
  Awaited<ReturnType<CredentialsAndIdentityIdProvider['getCredentialsAndIdentityId']>>
>;

export interface CredentialsProviderOptions extends IdentityPoolClientOptions {
  readonly identityPoolId: string;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly nowMs: () => number;
}

/** The federated sign-in information that browser storage keeps; the secret key stays in memory. */
interface FederatedInfo {
  readonly provider: string;
  readonly subject: string;
  readonly identityId: string;
  readonly tokenExpiresAtMs: number;
}

const STORAGE_KEY = 'deviceportal.federated';

interface Held {
  readonly value: CredentialsAndIdentityId;
  readonly subject: string;
  readonly refreshAtMs: number;
}

/**
 * Cloud credentials of the signed-in person from the identity pool: GetId, then GetCredentialsForIdentity, kept until
 * they expire or 50 minutes have passed (portal specification, sections 4 and 9). Guests get none.
 */
export function createCredentialsProvider(
  options: CredentialsProviderOptions,
): CredentialsAndIdentityIdProvider {
  const call = createIdentityPoolClient(options);
  let held: Held | undefined;
  return {
    async getCredentialsAndIdentityId({ tokens, forceRefresh }) {
      const idToken = tokens?.idToken;
      if (idToken === undefined) return undefined;
      const subject = String(idToken.payload.sub);
      const fresh = held?.subject === subject && options.nowMs() < held.refreshAtMs;
      if (held !== undefined && fresh && !forceRefresh) return held.value;
      const provider = String(idToken.payload.iss).replace(/^https?:\/\//, '');
      const logins = { [provider]: idToken.toString() };
      const known = readInfo(options.storage);
      const identityId =
        known?.provider === provider && known.subject === subject
          ? known.identityId
          : String(
              (await call('GetId', { IdentityPoolId: options.identityPoolId, Logins: logins }))[
                'IdentityId'
              ],
            );
      const value = toCredentials(
        await call('GetCredentialsForIdentity', { IdentityId: identityId, Logins: logins }),
      );
      const expiresAtMs = value.credentials.expiration?.getTime() ?? Number.POSITIVE_INFINITY;
      held = {
        value,
        subject,
        refreshAtMs: Math.min(expiresAtMs, options.nowMs() + CREDENTIALS_REFRESH_MS),
      };
      const tokenExpiresAtMs = (idToken.payload.exp ?? 0) * 1_000;
      writeInfo(options.storage, {
        provider,
        subject,
        identityId: value.identityId ?? identityId,
        tokenExpiresAtMs,
      });
      return value;
    },
    clearCredentialsAndIdentityId() {
      held = undefined;
      options.storage.removeItem(STORAGE_KEY);
    },
  };
}

/** A refreshed credential must hold an access key, a secret key and an identity (portal specification, section 5). */
function toCredentials(answer: Record<string, unknown>): CredentialsAndIdentityId {
  const credentials = (answer['Credentials'] ?? {}) as Record<string, unknown>;
  const accessKeyId = credentials['AccessKeyId'];
  const secretAccessKey = credentials['SecretKey'];
  const identityId = answer['IdentityId'];
  if (!accessKeyId || !secretAccessKey || !identityId) {
    throw new Error('The identity pool answered without complete credentials.');
  }
  return {
    identityId: String(identityId),
    credentials: {
      accessKeyId: String(accessKeyId),
      secretAccessKey: String(secretAccessKey),
      sessionToken: String(credentials['SessionToken'] ?? ''),
      expiration: new Date(Number(credentials['Expiration']) * 1_000),
    },
  };
}

function readInfo(storage: CredentialsProviderOptions['storage']): FederatedInfo | undefined {
  try {
    return (
      (JSON.parse(storage.getItem(STORAGE_KEY) ?? 'null') as FederatedInfo | null) ?? undefined
    );
  } catch {
    return undefined;
  }
}

function writeInfo(storage: CredentialsProviderOptions['storage'], info: FederatedInfo): void {
  storage.setItem(STORAGE_KEY, JSON.stringify(info));
}
