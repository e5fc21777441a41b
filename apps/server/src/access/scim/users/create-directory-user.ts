import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import type { Transaction } from '../../../platform/database/database.ts';
import { serializeAccessChange } from '../../serialize-access-change.ts';
import { markAdmitted, upsertUser } from '../../data/user-queries.ts';
import {
  findByUserName,
  requireDirectoryUser,
  storeScimUser,
  type DirectoryUser,
} from '../../data/scim/scim-user-queries.ts';
import { loadGranter } from '../../roles/granter.ts';
import type { DirectoryCaller } from '../connection-caller.ts';
import { ScimError } from '../protocol/scim-error.ts';
import { readUser, type ScimUserInput } from '../protocol/user-attributes.ts';
import { recordScim } from '../record-scim.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { directoryProfile } from './directory-profile.ts';
import { profileOf, writeDirectoryUser } from './write-directory-user.ts';

/**
 * Creates a user without roles, who can sign in. A user that a directory deleted is restored with the same ID.
 * @throws ScimError 409 uniqueness if the username is in use; PortalError if users are managed elsewhere
 */
export async function createDirectoryUser(
  deps: ScimDeps,
  caller: DirectoryCaller,
  body: unknown,
): Promise<DirectoryUser> {
  const input = readUser(body);
  const id = await serializeAccessChange(deps.database, async (tx) => {
    // The rights of the connection, also where no role changes.
    await loadGranter(tx, deps.directory, caller);
    const known = await findByUserName(tx, input.userName);
    if (known === undefined) return addUser(tx, deps, { caller, input });
    if (known.stored?.isDeleted !== true) {
      throw new ScimError(409, 'There is already a user with this userName.', 'uniqueness');
    }
    await writeDirectoryUser(tx, deps, { caller, before: known, input });
    return known.id;
  });
  return requireDirectoryUser(deps.database.orm, id);
}

async function addUser(
  tx: Transaction,
  deps: ScimDeps,
  { caller, input }: { readonly caller: DirectoryCaller; readonly input: ScimUserInput },
): Promise<string> {
  const pool = deps.directory.administration;
  if (pool === undefined) throw refuse('users-kept-elsewhere');
  const { email, phoneNumber, name } = directoryProfile(input);
  const invited = {
    username: input.userName,
    email: email ?? undefined,
    phoneNumber: phoneNumber ?? undefined,
    name: name ?? undefined,
  };
  const facts = await pool.createUser(invited, caller);
  const id = await upsertUser(tx, newId(), facts);
  await markAdmitted(tx, id);
  await storeScimUser(tx, {
    userId: id,
    connectionId: caller.connection.id,
    externalId: null,
    profile: profileOf(input),
    isEnded: false,
    isDeleted: false,
  });
  await recordScim(tx, caller, 'access.directory-user-created', {
    ...{ userId: id, username: facts.username },
  });
  if (input.externalId === undefined && input.active !== false) return id;
  await writeDirectoryUser(tx, deps, { caller, before: await requireDirectoryUser(tx, id), input });
  return id;
}
