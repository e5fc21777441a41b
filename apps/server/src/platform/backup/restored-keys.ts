import { openInstallationSecrets, type VerifyingKey } from '../installation-secrets.ts';
import { createFileSecrets } from '../secrets/file-secret-engine.ts';
import {
  INSTALLATION_KEY_FILE,
  openInstallationKeyRing,
} from '../secrets/installation-key-ring.ts';
import type { SecretEngine } from '../secrets/secret-engine.ts';
import { ringFileAfter, ringFileOf, type RotatingKeyRing } from '../secrets/signing-key-ring.ts';
import { fromWrittenKey } from '../secrets/written-key.ts';
import { StartError } from '../process/start-error.ts';
import type { LoadedBackup } from './restore-backup.ts';

/** Audit keys in the data folder before the restore; none in a new folder. */
export async function readOwnAuditKeys(dataDir: string): Promise<readonly VerifyingKey[]> {
  const store = createFileSecrets(dataDir);
  if ((await store.read(INSTALLATION_KEY_FILE)) === undefined) return [];
  return (await openInstallationSecrets(store)).signingKeys('audit').known;
}

/**
 * Prepares the keys of a backup for the data folder, and returns the keys that sealed its audit
 * trail. Backups of this release do not contain the private audit key. If the folder does not have
 * it, the trail continues with a new key.
 *
 * @throws StartError if the folder has keys of another installation
 */
export async function adoptKeys(
  { header, aside }: LoadedBackup,
  { dataDir, now }: { readonly dataDir: string; readonly now: Date },
): Promise<readonly VerifyingKey[]> {
  const [own, restored] = [createFileSecrets(dataDir), createFileSecrets(aside)];
  await requireSameInstallation(own, restored);
  if (header.version < 3) {
    return (await openInstallationSecrets(restored, now)).signingKeys('audit').known;
  }
  const keys = header.auditKeys.map(fromWrittenKey);
  await restored.create(ringFileOf('audit'), ringFileAfter(keys, now));
  return keys;
}

/**
 * The key ring with which a restored trail continues. A new key is created if the data folder's
 * ring lacks a key of the trail, or was rotated after the last block of the trail.
 */
export async function fitAuditRing(
  dataDir: string,
  { keys, blocks, now }: RestoredTrail,
): Promise<RotatingKeyRing> {
  const store = createFileSecrets(dataDir);
  const open = async () => (await openInstallationSecrets(store, now)).signingKeys('audit');
  const ring = await open();
  const lacking = keys.filter((key) => ring.known.every(({ keyId }) => keyId !== key.keyId));
  const isAhead = ({ lastBlock }: VerifyingKey): boolean =>
    lastBlock !== undefined && lastBlock.number >= blocks;
  if (lacking.length === 0 && !ring.known.some(isAhead)) return ring;
  const known = [...lacking, ...ring.known].map((key) =>
    isAhead(key) ? { ...key, lastBlock: undefined } : key,
  );
  await store.replace(ringFileOf('audit'), ringFileAfter(known, now));
  return open();
}

export interface RestoredTrail {
  /** Keys in the backup. */
  readonly keys: readonly VerifyingKey[];
  readonly blocks: number;
  readonly now: Date;
}

async function requireSameInstallation(own: SecretEngine, restored: SecretEngine): Promise<void> {
  for (const store of [own, restored]) {
    if ((await store.read(INSTALLATION_KEY_FILE)) === undefined) return;
  }
  const mine = await openInstallationKeyRing(own);
  const { current } = await openInstallationKeyRing(restored);
  const known = [mine.current, ...mine.earlier, ...(mine.next ? [mine.next] : [])];
  if (known.some((key) => Buffer.compare(key, current) === 0)) return;
  throw new StartError(
    `${own.placeOf(INSTALLATION_KEY_FILE)} is not the key of the backup. Choose another --data-dir, or move its folders keys and certificates elsewhere.`,
  );
}
