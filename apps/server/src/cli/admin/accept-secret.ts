import { secretNames } from '@deviceportal/contract/installation';
import { identityMigrations } from '../../compose/identity-migrations.ts';
import { acceptSecret } from '../../installation/accept-secret.ts';
import { openMigrated } from '../../platform/database/open-migrated.ts';
import { openInstallationSecrets } from '../../platform/installation-secrets.ts';
import { createFileSecrets } from '../../platform/secrets/file-secret-engine.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';

/** For an operator who has lost a secret and continues with another one. */
export const acceptSecretOf: AdminWork = {
  usage: secretNames.join('|'),
  words: [1],
  async run({ config, logger, resources }, [wanted = '']) {
    const name = secretNames.find((each) => each === wanted);
    if (name === undefined) {
      throw new StartError(`There is no secret "${wanted}": ${secretNames.join(', ')}.`);
    }
    const { database } = await openMigrated(resources, config, {
      logger,
      migrations: identityMigrations,
      exclusive: false,
    });
    const secrets = await openInstallationSecrets(createFileSecrets(config.dataDir));
    const fingerprint = await acceptSecret({ database, secrets, now: new Date() }, name);
    return `This database now belongs to the ${name} ${fingerprint}. What the one before has sealed or signed is lost.`;
  },
};
