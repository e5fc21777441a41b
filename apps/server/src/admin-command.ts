import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import type { IdentityService } from '@deviceportal/identity-service/identity-service';
import type { Provider } from '@deviceportal/identity-service/provider';
import { z } from 'zod';
import { chooseAccessKeyWork } from './access/access-key-command.ts';
import { createPortalUser } from './access/create-first-people.ts';
import type { UserDirectory } from './access/user-directory.ts';
import { ensureBuiltinRoles } from './access/ensure-builtin-roles.ts';
import { identityMigrations } from './identity-migrations.ts';
import { openIdentity } from './open-identity.ts';
import { openProvider } from './open-provider.ts';
import type { Database } from './platform/database/database.ts';
import { hasOwnUserPool } from './platform/config/provider-origins.ts';
import { freezePublicUrl } from './platform/freeze-setting.ts';
import { openInstallationSecrets } from './platform/installation-secrets.ts';
import { openMigrated } from './platform/database/open-migrated.ts';
import { runOperatorCommand } from './platform/run-command.ts';
import { createFileSecrets } from './platform/secrets/file-secret-engine.ts';
import { StartError } from './platform/start-error.ts';
import { createPoolDirectory } from './pool-directory.ts';
import { createProviderDirectory } from './provider-directory.ts';

const USAGE =
  'npm run admin -- create EMAIL | unlock EMAIL | rotate-keys | create-access-key NAME POLICY | list-access-keys | revoke-access-key ID [--data-dir .data]';

interface Parts {
  readonly database: Database;
  readonly identity: IdentityService;
  readonly directory: UserDirectory;
  readonly provider: Provider;
}

await runOperatorCommand(
  { words: [1, 2, 3], line: USAGE },
  async ({ words, config, logger, resources }) => {
    const work = chooseWork(words);
    if (config.providerSet.source !== 'embedded') {
      throw new StartError(
        `People sign in elsewhere in this installation: whoever has the group or role ${ADMIN_GROUP} there is an administrator here.`,
      );
    }
    const { database } = await openMigrated(resources, config, {
      logger,
      migrations: identityMigrations,
      exclusive: false,
    });
    const options = {
      config,
      secrets: await openInstallationSecrets(createFileSecrets(config.dataDir)),
      publicUrl: await freezePublicUrl(database, config),
      database,
      messenger: { send: () => Promise.reject(new Error('this command sends no messages')) },
    };
    const identity = await openIdentity(options);
    const provider = await openProvider(options);
    const directory = hasOwnUserPool(config.providerSet)
      ? createPoolDirectory(identity)
      : createProviderDirectory(provider);
    return work({ database, identity, directory, provider });
  },
);

function chooseWork(words: readonly string[]): (parts: Parts) => Promise<string> {
  const keyWork = chooseAccessKeyWork(words);
  if (keyWork !== undefined) return ({ identity }) => keyWork(identity.accessKeys);
  const [verb, email, ...rest] = words;
  if (verb === 'rotate-keys' && email === undefined) return rotateKeys;
  if (verb === 'unlock' && email !== undefined && rest.length === 0) {
    return (parts) => unlockAccount(parts, email);
  }
  if (verb !== 'create' || email === undefined || rest.length > 0) {
    throw new StartError(`Usage: ${USAGE}`);
  }
  if (!z.email().safeParse(email).success) throw new StartError(`${email} is no e-mail address.`);
  return (parts) => createAdministrator(parts, email);
}

async function createAdministrator({ database, directory }: Parts, email: string): Promise<string> {
  await ensureBuiltinRoles({ database });
  await createPortalUser(
    { database, directory },
    { email, name: email, role: 'Administrator', groups: [ADMIN_GROUP] },
  );
  return `${email} is an administrator and can sign in with a one-time code.`;
}

/** For when nobody is left who could do it in the portal, and for people of other applications at `/idp`. */
async function unlockAccount({ identity, provider }: Parts, email: string): Promise<string> {
  const directories = [createPoolDirectory(identity), createProviderDirectory(provider)];
  const done: string[] = [];
  let isKnown = false;
  for (const { administration: pool } of directories) {
    const user = await pool?.findUser(email);
    if (pool === undefined || user === undefined) continue;
    isKnown = true;
    const lock = (await pool.findLocks([user.subject])).get(user.subject);
    if (lock === undefined) continue;
    await pool.unlock(user.subject, 'operator');
    done.push(
      `The account ${user.username} is unlocked. It had been locked since ${lock.lockedAt.toISOString()}, after ${lock.wrong} wrong codes or passwords in a row.`,
    );
  }
  if (!isKnown) throw new StartError(`There is no user ${email}.`);
  return done.length === 0 ? `The account ${email} is not locked.` : done.join('\n');
}

/** The keys of the user pool, and that of the provider at `/idp`. */
async function rotateKeys({ identity, provider }: Parts): Promise<string> {
  const made = [...(await identity.rotateKeys()), await provider.rotateKeys()];
  const key = made.findLast((each) => each !== undefined);
  return key === undefined
    ? 'New signing keys are published already and wait to sign; nothing was changed.'
    : `New signing keys are published and sign from ${key.signsFrom.toISOString()}. Nobody is signed out: the old keys stay published as long as anybody may come with what they signed.`;
}
