import { identityMigrations } from '../../compose/identity-migrations.ts';
import { copySecrets } from '../../installation/copy-secrets.ts';
import { openOwnSecrets } from '../../installation/open-own-secrets.ts';
import { openSecretStore } from '../../installation/open-secret-store.ts';
import { withRotationLock } from '../../installation/with-rotation-lock.ts';
import {
  parseSecretsPlace,
  SECRETS_PLACES,
  secretsPlaceText,
  type SecretsPlace,
} from '../../platform/config/secrets-place.ts';
import { InvalidValue } from '../../platform/config/setting.ts';
import { openMigrated } from '../../platform/database/open-migrated.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';

/** Copies the secrets of the installation from `DEVICEPORTAL_SECRETS` to another place. */
export const copySecretsTo: AdminWork = {
  usage: 'file|secretsmanager:PREFIX-OR-ARN|kms:KEY-ARN',
  words: [1],
  async run({ config, logger, resources }, [wanted = '']) {
    const place = placeOf(wanted);
    const [from, to] = [secretsPlaceText(config.secrets.place), secretsPlaceText(place)];
    if (from === to) throw new StartError(`DEVICEPORTAL_SECRETS is already ${to}.`);
    const { database } = await openMigrated(resources, config, {
      logger,
      migrations: identityMigrations,
      exclusive: false,
    });
    const target = await openSecretStore({
      database,
      config: { ...config, secrets: { ...config.secrets, place } },
    });
    const copied = await withRotationLock(database, async () => {
      const secrets = await openOwnSecrets({ database, config });
      return copySecrets({ database, secrets, target, places: { from, to } });
    });
    if (copied === undefined) {
      throw new StartError('A rotation is in progress on this database. Try again later.');
    }
    return [
      `Copied ${copied} secrets from ${from} to ${to}. Their fingerprints are equal.`,
      `Set DEVICEPORTAL_SECRETS=${to} on all servers and restart them, before the next rotation.`,
      `The secrets in ${from} were not deleted: docs/guides/secrets.md describes when to do so.`,
    ].join('\n');
  },
};

function placeOf(text: string): SecretsPlace {
  try {
    return parseSecretsPlace(text);
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    throw new StartError(`Unknown place "${text}". Use one of: ${SECRETS_PLACES}.`);
  }
}
