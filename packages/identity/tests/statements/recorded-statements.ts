import * as providerAccounts from '../../src/accounts/provider-account-store.ts';
import type { Queryable } from '../../src/database/in-transaction.ts';
import type { ProviderUser } from '../../src/accounts/provider-user.ts';

const user: ProviderUser = {
  id: 'user',
  userPoolId: 'pool',
  status: 'Activated',
  blocked: false,
  username: 'sam',
  email: 'sam@example.com',
  emailVerified: true,
  phone: '600100200',
  phoneCountryCode: '+48',
  phoneE164: '+48600100200',
  phoneVerified: true,
  externalId: 'sam',
  passwordHash: 'hash',
  passwordLevel: 1,
  mustResetPassword: false,
  registerSource: ['basic:email'],
  profile: {},
  parentUserId: 'parent',
  subAccount: 'sub',
  loginsCount: 1,
  lastLoginAt: new Date(0),
  lastAddress: '192.0.2.1',
  createdAt: new Date(0),
  modifiedAt: new Date(0),
};

type Run = (db: Queryable) => Promise<unknown>;

/** Statements that are put together when they run, from one list of columns: run with every column. */
export const recordedStatements: Readonly<Record<string, Run>> = {
  'accounts/provider-account-store.ts findUser': (db) =>
    providerAccounts.findUser(db, user.userPoolId, ['id', user.id]),
  'accounts/provider-account-store.ts lockUser': (db) =>
    providerAccounts.lockUser(db, user.userPoolId, user.id),
  'accounts/provider-account-store.ts findUsers': (db) =>
    providerAccounts.findUsers(db, user.userPoolId, [user.id]),
  'accounts/provider-account-store.ts insertUser': (db) => providerAccounts.insertUser(db, user),
  'accounts/provider-account-store.ts updateUser': (db) =>
    providerAccounts.updateUser(db, user.id, user),
  'accounts/provider-account-store.ts countLogin': (db) =>
    providerAccounts.countLogin(db, user.id, { at: new Date(0), address: '192.0.2.1' }),
};

/** The texts that it runs; the database answers nothing. */
export async function recordTexts(run: Run): Promise<string[]> {
  const texts: string[] = [];
  const query = async (text: string) => {
    texts.push(text);
    return { rows: [], rowCount: 0 };
  };
  await run({ query } as unknown as Queryable);
  return texts;
}
