import { secretNames } from '@deviceportal/contract/installation';
import { identityMigrations } from '../../compose/identity-migrations.ts';
import { acceptSecret } from '../../installation/accept-secret.ts';
import { openSecretStore } from '../../installation/open-secret-store.ts';
import { openMigrated } from '../../platform/database/open-migrated.ts';
import { openInstallationSecrets } from '../../platform/installation-secrets.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';

/** Makes this installation use its own secret after another one was lost. */
export const acceptSecretOf: AdminWork = {
  usage: secretNames.join('|'),
  words: [1],
  async run({ config, logger, resources }, [wanted = '']) {
    const name = secretNames.find((each) => each === wanted);
    if (name === undefined) {
      throw new StartError(`Unknown secret "${wanted}". Use one of: ${secretNames.join(', ')}.`);
    }
    const { database } = await openMigrated(resources, config, {
      logger,
      migrations: identityMigrations,
      exclusive: false,
    });
    const secrets = await openInstallationSecrets(await openSecretStore({ database, config }));
    const fingerprint = await acceptSecret({ database, secrets, now: new Date() }, name);
    return `This database now uses the ${name} ${fingerprint}. Data that the previous secret sealed or signed is lost.`;
  },
};
