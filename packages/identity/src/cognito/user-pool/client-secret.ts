import { createHmac } from 'node:crypto';
import { sameBytes } from '../../secrets/secret-hash.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { AppClient } from './app-client-store.ts';
import { notAuthorized } from '../wire/wire-error.ts';

interface SecretContext {
  readonly box: SecretBox;
}

/**
 * Checks SECRET_HASH = base64(HMAC-SHA-256(client secret, username + client id)) of a client with a
 * secret.
 * @param usernames names that the client can have used in the hash
 * @throws NotAuthorizedException if it is missing or wrong
 */
export function requireSecretHash(
  { box }: SecretContext,
  client: AppClient,
  proof: { readonly usernames: readonly string[]; readonly secretHash: string | undefined },
): void {
  if (client.secretBox === null) return;
  if (proof.secretHash === undefined) throw secretMissing(client, 'SECRET_HASH');
  const secret = box.open(client.secretBox, client.clientId);
  const given = Buffer.from(proof.secretHash, 'base64');
  const matches = proof.usernames.map((username) =>
    sameBytes(createHmac('sha256', secret).update(`${username}${client.clientId}`).digest(), given),
  );
  if (!matches.includes(true)) {
    throw notAuthorized(`Unable to verify secret hash for client ${client.clientId}`);
  }
}

/**
 * Checks the secret itself, as GetTokensFromRefreshToken and RevokeToken carry it.
 * @throws NotAuthorizedException when it is missing or wrong
 */
export function requireClientSecret(
  { box }: SecretContext,
  client: AppClient,
  clientSecret: string | undefined,
): void {
  if (client.secretBox === null) return;
  if (clientSecret === undefined) throw secretMissing(client, 'ClientSecret');
  const secret = box.open(client.secretBox, client.clientId);
  if (!sameBytes(digest(secret), digest(clientSecret))) {
    throw notAuthorized(`Unable to verify secret for client ${client.clientId}`);
  }
}

/** Digests of equal length, so that the comparison does not reveal the secret's length. */
function digest(text: string): Buffer {
  return createHmac('sha256', 'client-secret').update(text).digest();
}

function secretMissing(client: AppClient, what: string) {
  return notAuthorized(
    `Client ${client.clientId} is configured with secret but ${what} was not received`,
  );
}
