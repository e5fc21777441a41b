import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import type { IdentityService } from '@deviceportal/identity/identity-service';
import type { Provider } from '@deviceportal/identity/provider';
import type { UserDirectory } from '../../access/users/user-directory.ts';
import { identityMigrations } from '../../compose/identity-migrations.ts';
import { openOwnSecrets } from '../../installation/open-own-secrets.ts';
import { openIdentity } from '../../compose/open-identity.ts';
import { openProvider } from '../../compose/open-provider.ts';
import { hasOwnUserPool } from '../../platform/config/provider-origins.ts';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../platform/database/open-migrated.ts';
import { freezePublicUrl } from '../../platform/freeze-setting.ts';
import type { CommandContext } from '../../platform/process/run-command.ts';
import { StartError } from '../../platform/process/start-error.ts';
import { commandNotices } from './command-notices.ts';
import { createPoolDirectory } from '../../compose/pool-directory.ts';
import { createProviderDirectory } from '../../compose/provider-directory.ts';

/** The embedded sign-in service, opened while servers may be running. */
export interface SignInParts {
  readonly database: Database;
  readonly identity: IdentityService;
  readonly directory: UserDirectory;
  readonly provider: Provider;
}

/** @throws StartError if users sign in at an external provider */
export async function openSignIn({
  config,
  logger,
  resources,
}: CommandContext): Promise<SignInParts> {
  if (config.providerSet.source !== 'embedded') {
    throw new StartError(
      `This installation uses an external sign-in provider. Assign the group or role ${ADMIN_GROUP} there to make a user an administrator.`,
    );
  }
  const { database } = await openMigrated(resources, config, {
    logger,
    migrations: identityMigrations,
    exclusive: false,
  });
  const secrets = await openOwnSecrets({ database, config });
  const options = {
    config,
    named: config,
    secrets,
    queueNotice: commandNotices(config, secrets),
    publicUrl: await freezePublicUrl(database, config),
    database,
    messenger: { send: () => Promise.reject(new Error('this command does not send messages')) },
  };
  const identity = await openIdentity(options);
  const provider = await openProvider(options);
  const directory = hasOwnUserPool(config.providerSet)
    ? createPoolDirectory(identity)
    : createProviderDirectory(provider);
  return { database, identity, directory, provider };
}
