import { openPersonalKeys } from '../personal-data/keys/personal-keys-of.ts';
import type { Database } from '../platform/database/database.ts';
import {
  openInstallationSecrets,
  type InstallationSecrets,
} from '../platform/installation-secrets.ts';
import { createFileSecrets } from '../platform/secrets/file-secret-engine.ts';
import { keyPurposes } from '../platform/secrets/key-purposes.ts';
import type { SecretEngine } from '../platform/secrets/secret-engine.ts';
import { INSTALLATION_KEY_FILE } from '../platform/secrets/installation-key-ring.ts';
import { StartError } from '../platform/process/start-error.ts';
import { readRecordedSecrets, recordsSecrets } from './data/installation-queries.ts';
import { requireOwnSecrets } from './require-own-secrets.ts';

export interface OpenOwnSecretsOptions {
  readonly database: Pick<Database, 'orm' | 'pool'>;
  readonly config: { readonly dataDir: string; readonly production: boolean };
  readonly clock?: () => Date;
}

/**
 * Opens the secrets of the installation to which this database belongs; the first start creates both.
 * @throws StartError when the secrets belong to another installation
 */
export async function openOwnSecrets({
  database,
  config,
  clock = () => new Date(),
}: OpenOwnSecretsOptions): Promise<InstallationSecrets> {
  const store = createFileSecrets(config.dataDir, { strict: config.production });
  // A command can be run on a database of an earlier release.
  if (!(await recordsSecrets(database.orm))) return openFor(database, store, clock);
  const recorded = await readRecordedSecrets(database.orm);
  if (recorded.length > 0 && (await store.read(INSTALLATION_KEY_FILE)) === undefined) {
    throw new StartError(
      `${store.placeOf(INSTALLATION_KEY_FILE)} is missing, but this database belongs to an installation that has one. Copy the folders keys and certificates from a server of this installation, or use its --data-dir.`,
    );
  }
  const secrets = await openFor(database, store, clock);
  await requireOwnSecrets({ database, secrets, clock });
  return secrets;
}

async function openFor(
  database: Pick<Database, 'pool'>,
  store: SecretEngine,
  clock: () => Date,
): Promise<InstallationSecrets> {
  const secrets = await openInstallationSecrets(store, clock());
  openPersonalKeys(database, secrets.keysFor(keyPurposes.personalData));
  return secrets;
}
