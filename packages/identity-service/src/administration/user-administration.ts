import { randomUUID } from 'node:crypto';
import { PortalError } from '@deviceportal/contract/errors';
import type { z } from 'zod';
import { inTransaction, type Queryable } from '../store/in-transaction.ts';
import { revokeAllOfUser } from '../store/refresh-token-store.ts';
import {
  deleteUserRow,
  findUserByIdentifier,
  findUserBySub,
  insertUser,
  listUserPage,
  lockUser,
  replaceUser,
  type PoolUser,
} from '../store/user-store.ts';
import { parseIdentifier } from '../user-pool/identifier.ts';
import type { PoolContext } from '../user-pool/pool-context.ts';
import { revocationTimes } from '../user-pool/revocation-times.ts';
import {
  newUserSchema,
  userChangeSchema,
  userListSchema,
  type NewUser,
  type UserChange,
  type UserListInput,
} from './user-input.ts';

export type { PoolUser } from '../store/user-store.ts';

export type AdministrationContext = Pick<PoolContext, 'pool' | 'clock' | 'settings' | 'record'>;

/**
 * The users of the pool, for the server itself: it asks for no permission, callers must have checked theirs.
 * Wrong input is PortalError 2004 with the fields; an unknown user is `notFound`; a name, address or number that is
 * taken is `userAlreadyExists` with the fact `attribute`.
 */
export interface UserAdministration {
  createUser(input: NewUser): Promise<PoolUser>;
  /** By user name, e-mail address or phone number, regardless of case. */
  findUser(identifier: string): Promise<PoolUser | undefined>;
  getUser(sub: string): Promise<PoolUser>;
  listUsers(input?: UserListInput): Promise<PoolUser[]>;
  updateUser(sub: string, change: UserChange): Promise<PoolUser>;
  /** Refuses sign-in, refresh and the live channel from now on, and ends every session. */
  disableUser(sub: string): Promise<PoolUser>;
  enableUser(sub: string): Promise<PoolUser>;
  deleteUser(sub: string): Promise<void>;
  /** Ends every session of the user: refresh tokens, own operations, credentials. Issued tokens pass offline checks until they end. */
  signOutUser(sub: string): Promise<void>;
}

export function createUserAdministration(context: AdministrationContext): UserAdministration {
  const { pool } = context;
  return {
    async createUser(input) {
      return createUser(context, parse(newUserSchema, input));
    },
    findUser: (identifier) => findUserByIdentifier(pool, parseIdentifier(identifier)),
    getUser: (sub) => requireUser(context, sub),
    async listUsers(input = {}) {
      const { prefix, after, group, limit } = parse(userListSchema, input);
      return listUserPage(pool, { prefix, after, group, limit });
    },
    async updateUser(sub, change) {
      return updateUser(context, sub, parse(userChangeSchema, change));
    },
    async disableUser(sub) {
      const user = await setEnabled(context, sub, false);
      await revokeAllOfUser(pool, sub, revocationTimes(context));
      return user;
    },
    enableUser: (sub) => setEnabled(context, sub, true),
    async deleteUser(sub) {
      const user = await requireUser(context, sub);
      await revokeAllOfUser(pool, sub, revocationTimes(context));
      await deleteUserRow(pool, sub);
      note(context, user, { kind: 'userDeleted' });
    },
    async signOutUser(sub) {
      const user = await requireUser(context, sub);
      await revokeAllOfUser(pool, sub, revocationTimes(context));
      note(context, user, { kind: 'signedOut' });
    },
  };
}

/** @throws PortalError invalidParameters naming each wrong field */
export function parse<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new PortalError('invalidParameters', {
    issues: parsed.error.issues.map((issue) => ({
      path: issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
      message: issue.message,
    })),
  });
}

/** @throws PortalError notFound */
export async function requireUser(context: AdministrationContext, sub: string): Promise<PoolUser> {
  const user = isUuid(sub) ? await findUserBySub(context.pool, sub) : undefined;
  if (user === undefined) throw userNotFound(sub);
  return user;
}

function userNotFound(sub: string): PortalError {
  return new PortalError('notFound', { facts: { user: sub } });
}

async function createUser(
  context: AdministrationContext,
  input: z.output<typeof newUserSchema>,
): Promise<PoolUser> {
  const now = new Date(context.clock.now());
  const user: PoolUser = {
    sub: randomUUID(),
    username: input.username,
    email: input.email ?? null,
    emailVerified: input.email !== undefined && input.emailVerified,
    phoneNumber: input.phoneNumber ?? null,
    phoneNumberVerified: input.phoneNumber !== undefined && input.phoneNumberVerified,
    name: input.name ?? null,
    customAttributes: input.customAttributes,
    enabled: input.enabled,
    createdAt: now,
    modifiedAt: now,
  };
  await requireOwnIdentifiers(context.pool, user);
  await insertUser(context.pool, user).catch(translateTaken);
  note(context, user, { kind: 'userChanged', detail: 'created' });
  return user;
}

async function updateUser(
  context: AdministrationContext,
  sub: string,
  change: z.output<typeof userChangeSchema>,
): Promise<PoolUser> {
  const user = await changeLocked(context, sub, (before) => applyChange(before, change));
  note(context, user, { kind: 'userChanged', detail: `changed ${Object.keys(change).join(', ')}` });
  return user;
}

function applyChange(before: PoolUser, change: z.output<typeof userChangeSchema>): PoolUser {
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
    customAttributes: { ...before.customAttributes, ...change.customAttributes },
  };
}

async function setEnabled(
  context: AdministrationContext,
  sub: string,
  enabled: boolean,
): Promise<PoolUser> {
  const user = await changeLocked(context, sub, (before) => ({ ...before, enabled }));
  note(context, user, { kind: 'userChanged', detail: enabled ? 'enabled' : 'disabled' });
  return user;
}

/** Changes a user while nobody else can: two changes at once never undo each other. */
async function changeLocked(
  context: AdministrationContext,
  sub: string,
  change: (before: PoolUser) => PoolUser,
): Promise<PoolUser> {
  return inTransaction(context.pool, async (client) => {
    const before = isUuid(sub) ? await lockUser(client, sub) : undefined;
    if (before === undefined) throw userNotFound(sub);
    const user = { ...change(before), modifiedAt: new Date(context.clock.now()) };
    await requireOwnIdentifiers(client, user);
    await replaceUser(client, user).catch(translateTaken);
    return user;
  });
}

/** Nobody's user name may be somebody else's address: a typed identifier means one person. */
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

export function note(
  context: AdministrationContext,
  user: PoolUser,
  event: { readonly kind: 'userChanged' | 'userDeleted' | 'signedOut'; readonly detail?: string },
): void {
  context.record({
    ...event,
    at: new Date(context.clock.now()),
    sub: user.sub,
    username: user.username,
    address: undefined,
  });
}

const UNIQUE_VIOLATION = '23505';
const attributesByIndex: Readonly<Record<string, string>> = {
  pool_user_username: 'username',
  pool_user_email: 'email',
  pool_user_phone_number: 'phoneNumber',
};

function translateTaken(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  const attribute = attributesByIndex[constraint ?? ''];
  if (code !== UNIQUE_VIOLATION || attribute === undefined) throw error;
  throw new PortalError('userAlreadyExists', { facts: { attribute }, cause: error });
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
