import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database/database.ts';
import { createFileSecrets } from '../platform/secrets/file-secret-engine.ts';
import { openKmsSecrets } from '../platform/secrets/kms-secret-engine.ts';
import type { SecretEngine } from '../platform/secrets/secret-engine.ts';
import { openSecretsManagerSecrets } from '../platform/secrets/secrets-manager-engine.ts';
import { besideFiles } from './beside-files.ts';

export interface SecretStoreOptions {
  readonly database: Pick<Database, 'orm'>;
  readonly config: Pick<Config, 'dataDir' | 'production' | 'secrets'>;
}

/**
 * Opens the configured place of the secrets. Files that are not shared are always in the data folder.
 *
 * @throws StartError if the package of its client is not installed
 */
export async function openSecretStore({
  database,
  config: { dataDir, production, secrets },
}: SecretStoreOptions): Promise<SecretEngine> {
  const files = createFileSecrets(dataDir, { strict: production });
  const { place, endpoint } = secrets;
  if (place.kind === 'file') return files;
  const options = { region: place.region ?? secrets.region, endpoint };
  const shared =
    place.kind === 'kms'
      ? await openKmsSecrets(options, { database, keyArn: place.keyArn })
      : await openSecretsManagerSecrets(options, place);
  return besideFiles(shared, files);
}
