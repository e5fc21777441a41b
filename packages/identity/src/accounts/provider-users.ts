import { newId } from '@deviceportal/contract/ids';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Queryable } from '../database/in-transaction.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { readPhoneNumber, type PhoneNumber } from './phone-number.ts';
import type { ProviderUser, UserChange } from './provider-user.ts';
import {
  countLogin,
  findUser,
  insertUser,
  updateUser,
  type UserKey,
} from './provider-account-store.ts';

/** The users of a pool. The last argument of most calls is an optional transaction. */
export interface Users {
  find(id: string, db?: Queryable): Promise<ProviderUser | undefined>;
  /** By one of the unique keys; phone numbers in E.164 form. */
  findBy(key: UserKey, value: string, db?: Queryable): Promise<ProviderUser | undefined>;
  /** Finds a user by the typed email address, phone number, or username, in this order. */
  findByAccount(account: string): Promise<ProviderUser | undefined>;
  /** @throws ProviderError userExists if another user has one of the names */
  create(user: UserChange, db?: Queryable): Promise<ProviderUser>;
  /** @throws ProviderError userExists, userDoesNotExist */
  update(id: string, change: UserChange, db?: Queryable): Promise<ProviderUser>;
  /** Counts a completed sign-in. */
  countLogin(id: string, address: string, db?: Queryable): Promise<ProviderUser>;
  /** @throws z.ZodError if it is not a phone number */
  readPhone(phone: string, countryCode?: string | null): PhoneNumber;
}

const UNIQUE_VIOLATION = '23505';

export function createUsers(options: {
  readonly db: pg.Pool;
  readonly clock: Clock;
  readonly settings: { readonly userPoolId: string; readonly phoneCountryCode: string };
}): Users {
  const { db: pool, clock, settings } = options;
  const { userPoolId } = settings;
  const now = (): Date => new Date(clock.now());
  const readPhone: Users['readPhone'] = (phone, countryCode) =>
    readPhoneNumber(phone, countryCode, settings.phoneCountryCode);
  const findBy: Users['findBy'] = (key, value, db = pool) => findUser(db, userPoolId, [key, value]);
  return {
    find: (id, db) => findBy('id', id, db),
    findBy,
    async findByAccount(account) {
      const phone = isLikeNumber(account) ? readPhone(account) : undefined;
      // Run all lookups, also if the first one finds a user, so that timing reveals nothing.
      const [byEmail, byPhone, byName] = await Promise.all([
        account.includes('@') ? findBy('email', account) : undefined,
        phone && findBy('phone', phone.phoneE164),
        findBy('username', account),
      ]);
      return byEmail ?? byPhone ?? byName;
    },
    async create(user, db = pool) {
      const at = now();
      const made = { ...user, id: newId(), userPoolId, createdAt: at, modifiedAt: at };
      return (await insertUser(db, made)) ?? refuse();
    },
    async update(id, change, db = pool) {
      const updated = await updateUser(db, id, { ...change, modifiedAt: now() }).catch(
        (error: unknown) => {
          if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return refuse();
          throw error;
        },
      );
      if (updated === undefined) throw new ProviderError(refusals.userDoesNotExist);
      return updated;
    },
    async countLogin(id, address, db = pool) {
      const counted = await countLogin(db, id, { at: now(), address });
      if (counted === undefined) throw new ProviderError(refusals.userDoesNotExist);
      return counted;
    },
    readPhone,
  };
}

function refuse(): never {
  throw new ProviderError(refusals.userExists);
}

function isLikeNumber(account: string): boolean {
  return /^\+?[\d\s()-]{6,20}$/.test(account) && /\d{6}/.test(account.replaceAll(/\D/g, ''));
}
