import { nameSchema } from '@deviceportal/contract/name-schema';
import { z } from 'zod';
import { administer } from './administer.ts';
import { serverOrigin, type ActOrigin } from './administration-act.ts';
import { parseInput } from './parse-input.ts';
import type { Queryable } from '../database/in-transaction.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { emailSchema, usernameSchema } from '../accounts/names.ts';
import type { ProviderUser, UserChange, UserStatus } from '../accounts/provider-user.ts';
import { findUsers } from '../accounts/provider-account-store.ts';
import { findKnownPerson } from './find-known-person.ts';
import { inPortalWords } from './in-portal-words.ts';
import { actUser } from './act-user.ts';
import { requirePerson } from './provider-acts.ts';

const newPersonSchema = z.object({
  /** Left out: the person signs in by their address or number. */
  username: usernameSchema.optional(),
  email: emailSchema.optional(),
  /** With its country, like `+48123456789`. */
  phoneNumber: z
    .string()
    .regex(/^\+[1-9]\d{5,14}$/, 'must be like +48123456789')
    .optional(),
  name: nameSchema({ max: 256 }).optional(),
});
export type NewPerson = z.input<typeof newPersonSchema>;

const personChangeSchema = z.object({
  email: newPersonSchema.shape.email.unwrap().nullable(),
  phoneNumber: newPersonSchema.shape.phoneNumber.unwrap().nullable(),
  name: newPersonSchema.shape.name.unwrap().nullable(),
});
export type PersonChange = z.input<typeof personChangeSchema>;

/**
 * The people of the provider, in the hands of an administrator; what is the same for the accounts of every directory is
 * `AccountAdministration`. It asks for no permission: callers must have checked
 * theirs, and say who they are; left out, it is the server itself. Every change is written down in its own transaction.
 * Wrong input is PortalError 2004 with the fields; an unknown person is `notFound`.
 */
export interface PeopleAdministration {
  /**
   * Makes an account without a password, whose owner signs in with a code. The administrator vouches for address and
   * number: an account that has one of them without ever having proven it loses it.
   * @throws PortalError userAlreadyExists
   */
  createPerson(input: NewPerson, origin?: ActOrigin): Promise<ProviderUser>;
  /** By username, verified email address, or verified phone number, case-insensitively. */
  findPerson(identifier: string): Promise<ProviderUser | undefined>;
  /** Those of them that there are. */
  findPeople(ids: readonly string[]): Promise<readonly ProviderUser[]>;
  /**
   * Replaces addresses and name; null removes one. The administrator vouches for address and number.
   * @throws PortalError userAlreadyExists
   */
  changePerson(id: string, input: PersonChange, origin?: ActOrigin): Promise<ProviderUser>;
  /** A user who is not activated has no sessions from then on and cannot sign in. */
  setStatus(id: string, status: UserStatus, origin?: ActOrigin): Promise<void>;
}

export function createPeopleAdministration(context: ProviderContext): PeopleAdministration {
  const { db, settings, tokens, users } = context;
  const { userPoolId } = settings;
  const acting = { pool: db, clock: context.clock, writeAct: context.writeAct };
  return {
    async createPerson(input, origin = serverOrigin) {
      const person = parseInput(newPersonSchema, input);
      return inPortalWords(
        administer(acting, origin, async ({ client, write }) => {
          await freeUnproven(context, person, client);
          const user = await users.create(accountOf(context, person), client);
          await write('userCreated', { user: actUser(user) });
          return user;
        }),
      );
    },
    async changePerson(id, input, origin = serverOrigin) {
      const { email, phoneNumber, name } = parseInput(personChangeSchema, input);
      return inPortalWords(
        administer(acting, origin, async ({ client, write }) => {
          const before = await requirePerson(context, id, client);
          const { name: _name, nickname: _nickname, ...profile } = before.profile;
          const user = await users.update(
            id,
            {
              email,
              emailVerified: email !== null,
              ...(phoneNumber === null
                ? { phone: null, phoneCountryCode: null, phoneE164: null }
                : users.readPhone(phoneNumber)),
              phoneVerified: phoneNumber !== null,
              profile: name === null ? profile : { ...profile, name, nickname: name },
            },
            client,
          );
          await write('userChanged', {
            user: actUser(user),
            detail: { attributes: ['email', 'phoneNumber', 'name'] },
          });
          return user;
        }),
      );
    },
    findPerson: (identifier) => findKnownPerson(context, identifier),
    findPeople: (ids) => findUsers(db, userPoolId, ids),
    setStatus: (id, status, origin = serverOrigin) =>
      administer(acting, origin, async ({ client, write }) => {
        const user = await requirePerson(context, id, client);
        if (user.status === status && !(status === 'Activated' && user.blocked)) return;
        const isIn = status === 'Activated';
        await users.update(id, { status, ...(isIn && { blocked: false }) }, client);
        if (!isIn) await tokens.endSessionsOf(id, undefined, client);
        const detail = { from: user.status, to: status };
        await write(isIn ? 'userEnabled' : 'userDisabled', { user: actUser(user), detail });
      }),
  };
}

function accountOf(
  { users }: ProviderContext,
  person: z.output<typeof newPersonSchema>,
): UserChange {
  const { username, email, phoneNumber, name } = person;
  return {
    registerSource: ['import:administrator'],
    ...(username !== undefined && { username }),
    ...(email !== undefined && { email, emailVerified: true }),
    ...(phoneNumber !== undefined && { ...users.readPhone(phoneNumber), phoneVerified: true }),
    profile: name === undefined ? {} : { name, nickname: name },
  };
}

/**
 * A user who registered with an unverified address may not be its owner
 * (`sign-in/prove-address.ts`).
 */
async function freeUnproven(
  { users }: ProviderContext,
  { email, phoneNumber }: z.output<typeof newPersonSchema>,
  db: Queryable,
): Promise<void> {
  const byEmail = email === undefined ? undefined : await users.findBy('email', email, db);
  if (byEmail !== undefined && !byEmail.emailVerified) {
    await users.update(byEmail.id, { email: null }, db);
  }
  const byPhone =
    phoneNumber === undefined ? undefined : await users.findBy('phone', phoneNumber, db);
  if (byPhone !== undefined && !byPhone.phoneVerified) {
    const none = { phone: null, phoneCountryCode: null, phoneE164: null };
    await users.update(byPhone.id, none, db);
  }
}
