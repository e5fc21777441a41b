import type { SecretName } from '@deviceportal/contract/installation';
import { FIRST_AUTHORITY_FILE } from '../gateway/certificates/device-authority-ring.ts';
import type { Transaction } from '../platform/database/database.ts';
import { StartError } from '../platform/process/start-error.ts';
import type { SecretEngine } from '../platform/secrets/secret-engine.ts';
import { readRecordedSecrets } from './data/installation-queries.ts';
import { secretFiles } from './secret-fingerprints.ts';

const namesByFile = new Map<string, SecretName>([
  ...Object.entries(secretFiles).map(([name, file]) => [file, name as SecretName] as const),
  [FIRST_AUTHORITY_FILE, 'device-authority'],
]);

/**
 * The same store, which does not create a secret that the installation already has on another server.
 * @param tx holds the lock of the secrets until they are recorded
 */
export async function withoutSecond(tx: Transaction, store: SecretEngine): Promise<SecretEngine> {
  const recorded = await readRecordedSecrets(tx);
  return {
    ...store,
    create(file, secret) {
      const known = recorded.find(({ name }) => name === namesByFile.get(file));
      if (known === undefined) return store.create(file, secret);
      throw new StartError(
        `${store.placeOf(file)} is missing, but this database belongs to an installation that has one (${known.name} ${known.fingerprint.slice(0, 16)}). ${store.remedy}`,
      );
    },
  };
}
