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

/** Own audit keys before the restore; none in a new data folder, or if the backup contains the sealed ones. */
export async function readOwnAuditKeys(store: SecretEngine): Promise<readonly VerifyingKey[]> {
  if ((await store.read(INSTALLATION_KEY_FILE)) === undefined) return [];
  return (await openInstallationSecrets(store)).signingKeys('audit').known;
}

/** Own secrets of a restore. */
export interface OwnSecrets {
  readonly store: SecretEngine;
  /** Whether the files of a backup become the secrets of `store`. */
  readonly inFiles: boolean;
}

/**
 * Prepares the keys of a backup for the data folder, and returns the keys that sealed its audit
 * trail. Backups of this release do not contain the private audit key. If the folder does not have
 * it, the trail continues with a new key.
 *
 * @throws StartError if the own secrets are of another installation, or not in the files and missing
 */
export async function adoptKeys(
  { header, aside }: LoadedBackup,
  { own: { store, inFiles }, now }: { readonly own: OwnSecrets; readonly now: Date },
): Promise<readonly VerifyingKey[]> {
  const restored = createFileSecrets(aside);
  await requireSameInstallation(store, restored);
  if (!inFiles) {
    await requireOwn(store);
    return header.auditKeys.map(fromWrittenKey);
  }
  if (header.version < 3) {
    return (await openInstallationSecrets(restored, now)).signingKeys('audit').known;
  }
  const keys = header.auditKeys.map(fromWrittenKey);
  await restored.create(ringFileOf('audit'), ringFileAfter(keys, now));
  return keys;
}

/**
 * The key ring with which a restored trail continues. A new key is created if the own
 * ring lacks a key of the trail, or was rotated after the last block of the trail.
 */
export async function fitAuditRing(
  store: SecretEngine,
  { keys, blocks, now }: RestoredTrail,
): Promise<RotatingKeyRing> {
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

async function requireOwn(store: SecretEngine): Promise<void> {
  if ((await store.read(INSTALLATION_KEY_FILE)) !== undefined) return;
  throw new StartError(
    `${store.placeOf(INSTALLATION_KEY_FILE)} is missing, and a restore creates no secrets there. ${store.remedy} For a backup with the secrets in files, restore with DEVICEPORTAL_SECRETS=file, and then run "npm run admin -- copy-secrets".`,
  );
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
