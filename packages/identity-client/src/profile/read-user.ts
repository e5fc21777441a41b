import { malformed } from '../core/call-rest.ts';
import type { IdentityClient } from '../core/identity-client.ts';
import { asRecord } from '../core/send.ts';
import { report } from '../core/report.ts';
import { toValueMap } from '../user-values/to-value-map.ts';
import type { User } from './user.ts';

/**
 * Reads the account of a reply, with typed custom values. Throws if the reply does not identify a
 * user.
 */
export function readUser(client: IdentityClient, reply: unknown): User {
  const found = asRecord(reply);
  const token = found['token'] ?? null;
  if (!isNonEmptyText(found['id']) || (token !== null && typeof token !== 'string')) {
    throw report(client, malformed(client));
  }
  const user = found as unknown as User;
  const raw = found['customData'];
  return Array.isArray(raw) ? { ...user, customData: toValueMap(raw) } : user;
}

/** Sets the account of a reply as the current user. */
export function signIn(client: IdentityClient, reply: unknown): User {
  const user = readUser(client, reply);
  client.session.setUser(user);
  return user;
}

/** Stores the account after a change. The account of another user never becomes current. */
export function keepSignedIn(client: IdentityClient, reply: unknown): User {
  const user = readUser(client, reply);
  const known = client.session.getUser()?.id;
  if (known === undefined || known === user.id) client.session.setUser(user);
  return user;
}

function isNonEmptyText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
