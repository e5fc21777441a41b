import { newId } from '@deviceportal/contract/ids';
import { inTransaction, type Queryable } from '../database/in-transaction.ts';
import { findIdentity, insertIdentity } from '../identities/identity-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { findAccountOfAddress, firstProof } from '../sign-in/prove-address.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { isDirectory, isSocial, type Connection } from './connection.ts';
import { connectionRefusals } from './connection-refusals.ts';
import type { OutsidePerson } from './outside-person.ts';

type Context = Pick<ProviderContext, 'db' | 'clock' | 'settings' | 'tokens' | 'users'>;

/**
 * The account of a user whom a connection has authenticated: the linked account, the account with
 * the same verified address if the connection is trusted for that, or a new one.
 * @throws ProviderError noAccountHere, emailIsTaken
 */
export async function admitOutsidePerson(
  context: Context,
  connection: Connection,
  person: OutsidePerson,
): Promise<ProviderUser> {
  const known = await findLinked(context, connection, person);
  if (known !== undefined) return known;
  return inTransaction(context.db, async (tx) => {
    const user = await findOrMake(context, connection, person, tx);
    const { identifier, protocol } = connection;
    const identity = {
      id: newId(),
      userId: user.id,
      userPoolId: user.userPoolId,
      extIdpId: identifier,
      connectionId: identifier,
      provider: identifier,
      type: protocol,
      isSocial: !isDirectory(connection) && isSocial(connection),
      openid: person.subject,
      userIdInIdp: person.subject,
      profile: { ...person },
    };
    const isNew = await insertIdentity(tx, identity, new Date(context.clock.now()));
    if (!isNew) throw new ProviderError(connectionRefusals.noAccountHere);
    return user;
  }).catch(async (error: unknown) => {
    // With concurrent first sign-ins, the account that was created first is used.
    const meanwhile =
      error instanceof ProviderError ? await findLinked(context, connection, person) : undefined;
    if (meanwhile !== undefined) return meanwhile;
    throw error;
  });
}

async function findLinked(
  { db, settings, users }: Context,
  { identifier }: Connection,
  { subject }: OutsidePerson,
): Promise<ProviderUser | undefined> {
  const { userPoolId } = settings;
  const key = { userPoolId, connectionId: identifier, userIdInIdp: subject };
  const identity = await findIdentity(db, key);
  return identity && users.find(identity.userId);
}

async function findOrMake(
  context: Context,
  connection: Connection,
  person: OutsidePerson,
  tx: Queryable,
): Promise<ProviderUser> {
  const { email, name, nickname, photo } = person;
  const { users } = context;
  const isProven = person.emailVerified && connection.trustsEmail;
  if (email !== undefined && isProven) {
    const owned = await findAccountOfAddress(context, ['email', email], tx);
    if (owned !== undefined) return firstProof(context, owned, 'email', tx);
  }
  const owner = email === undefined ? undefined : await users.findBy('email', email, tx);
  if (!connection.createsUsers) throw new ProviderError(connectionRefusals.noAccountHere);
  if (owner !== undefined) throw new ProviderError(connectionRefusals.emailIsTaken);
  const shown = nickname ?? name;
  return users.create(
    {
      ...(email !== undefined && { email, emailVerified: isProven }),
      registerSource: [`${connection.protocol}:${connection.identifier}`],
      profile: {
        ...(name !== undefined && { name }),
        ...(shown !== undefined && { nickname: shown }),
        ...(photo !== undefined && { photo }),
      },
    },
    tx,
  );
}
