import { randomUUID } from 'node:crypto';
import { PortalError } from '@deviceportal/contract/errors';
import type pg from 'pg';
import type { z } from 'zod';
import type { Queryable } from '../database/in-transaction.ts';
import {
  findUserByIdentifier,
  findUserBySub,
  insertUser,
  lockUser,
  replaceUser,
  type PoolUser,
} from '../accounts/pool-account-store.ts';
import { parseIdentifier } from '../cognito/user-pool/identifier.ts';
import type { newUserSchema, userChangeSchema } from './user-input.ts';

/** @throws PortalError notFound */
export async function requireUser(db: Queryable, sub: string): Promise<PoolUser> {
  const user = isUuid(sub) ? await findUserBySub(db, sub) : undefined;
  if (user === undefined) throw userNotFound(sub);
  return user;
}

/** @throws PortalError userAlreadyExists with the fact `attribute` */
export async function addUser(
  client: pg.PoolClient,
  input: z.output<typeof newUserSchema>,
  now: Date,
): Promise<PoolUser> {
  const user: PoolUser = {
    sub: randomUUID(),
    username: input.username,
    email: input.email ?? null,
    emailVerified: input.email !== undefined && input.emailVerified,
    phoneNumber: input.phoneNumber ?? null,
    phoneNumberVerified: input.phoneNumber !== undefined && input.phoneNumberVerified,
    name: input.name ?? null,
    standardAttributes: input.standardAttributes,
    customAttributes: input.customAttributes,
    enabled: input.enabled,
    status: input.status,
    createdAt: now,
    modifiedAt: now,
  };
  await requireOwnIdentifiers(client, user);
  await insertUser(client, user).catch(translateTaken);
  return user;
}

/**
 * Changes a user under a lock, so that concurrent changes do not overwrite each other.
 * @throws PortalError notFound or userAlreadyExists
 */
export async function changeUser(
  client: pg.PoolClient,
  sub: string,
  change: (before: PoolUser) => PoolUser,
): Promise<PoolUser> {
  const before = isUuid(sub) ? await lockUser(client, sub) : undefined;
  if (before === undefined) throw userNotFound(sub);
  const user = change(before);
  await requireOwnIdentifiers(client, user);
  await replaceUser(client, user).catch(translateTaken);
  return user;
}

export function applyChange(before: PoolUser, change: z.output<typeof userChangeSchema>): PoolUser {
  const email = change.email === undefined ? before.email : change.email;
  const phoneNumber = change.phoneNumber === undefined ? before.phoneNumber : change.phoneNumber;
  return {
    ...before,
    email,
    phoneNumber,
    // A changed address is verified only when the caller vouches for it.
    emailVerified:
      email !== null && (change.emailVerified ?? (email === before.email && before.emailVerified)),
    phoneNumberVerified:
      phoneNumber !== null &&
      (change.phoneNumberVerified ??
        (phoneNumber === before.phoneNumber && before.phoneNumberVerified)),
    name: change.name === undefined ? before.name : change.name,
    status: change.status ?? before.status,
    standardAttributes: withoutEmpty({
      ...before.standardAttributes,
      ...change.standardAttributes,
    }),
    customAttributes: { ...before.customAttributes, ...change.customAttributes },
  };
}

function withoutEmpty(attributes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}

/** A username must not be another user's address, so that a typed identifier is unambiguous. */
async function requireOwnIdentifiers(db: Queryable, user: PoolUser): Promise<void> {
  const identifiers = { username: user.username, email: user.email, phoneNumber: user.phoneNumber };
  for (const [attribute, text] of Object.entries(identifiers)) {
    if (text === null) continue;
    const owner = await findUserByIdentifier(db, parseIdentifier(text));
    if (owner !== undefined && owner.sub !== user.sub) {
      throw new PortalError('userAlreadyExists', { facts: { attribute } });
    }
  }
}

const UNIQUE_VIOLATION = '23505';
const attributesByIndex: Readonly<Record<string, string>> = {
  account_username: 'username',
  account_email: 'email',
  account_phone_number: 'phoneNumber',
};

function translateTaken(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  const attribute = attributesByIndex[constraint ?? ''];
  if (code !== UNIQUE_VIOLATION || attribute === undefined) throw error;
  throw new PortalError('userAlreadyExists', { facts: { attribute }, cause: error });
}

function userNotFound(sub: string): PortalError {
  return new PortalError('notFound', { facts: { user: sub } });
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
