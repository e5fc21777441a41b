import { openPersonalKeys } from '../personal-data/keys/personal-keys-of.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import {
  openInstallationSecrets,
  type InstallationSecrets,
} from '../platform/installation-secrets.ts';
import { keyPurposes } from '../platform/secrets/key-purposes.ts';
import type { SecretEngine } from '../platform/secrets/secret-engine.ts';
import { lockRotations, recordsSecrets } from './data/installation-queries.ts';
import { openSecretStore, type SecretStoreOptions } from './open-secret-store.ts';
import { compareSecrets } from './require-own-secrets.ts';
import { withoutSecond } from './without-second.ts';

export interface OpenOwnSecretsOptions {
  readonly database: Pick<Database, 'orm' | 'pool'>;
  readonly config: SecretStoreOptions['config'];
  readonly clock?: () => Date;
}

/**
 * Opens the secrets of the installation to which this database belongs; the first start creates both.
 * @throws StartError when a secret is missing, or belongs to another installation
 */
export async function openOwnSecrets({
  database,
  config,
  clock = () => new Date(),
}: OpenOwnSecretsOptions): Promise<InstallationSecrets> {
  const store = await openSecretStore({ database, config });
  // A command can be run on a database of an earlier release.
  if (!(await recordsSecrets(database.orm))) return openFor(database, store, clock);
  return inTransaction(database, async (tx) => {
    await lockRotations(tx);
    const opened = await openFor(database, await withoutSecond(tx, store), clock);
    const secrets = { ...opened, store };
    await compareSecrets(tx, { secrets, clock });
    return secrets;
  });
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
