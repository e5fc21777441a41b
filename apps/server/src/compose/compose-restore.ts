import { resolve } from 'node:path';
import { auditSignerOf, rawPublicKey, type AuditSigningKey } from '../audit-trail/audit-signer.ts';
import { openAnalytics } from '../audit-trail/archive/open-analytics.ts';
import { pinnedKeys } from '../audit-trail/verification/pinned-keys.ts';
import { proveBackup } from '../audit-trail/verification/prove-backup.ts';
import { readCheckpoint } from '../audit-trail/sealing/read-checkpoint.ts';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import type { AuditVerification } from '../audit-trail/verification/verify-audit-trail.ts';
import { adoptKeys, fitAuditRing, readOwnAuditKeys } from '../platform/backup/restored-keys.ts';
import type { RestoreBackupOptions } from '../platform/backup/restore-backup.ts';
import { transactionOn, type Database } from '../platform/database/database.ts';
import { openPersonalKeys } from '../personal-data/keys/personal-keys-of.ts';
import { eraseWhole } from '../personal-data/erase/erase-whole.ts';
import { eraseAgain, type ErasedAgain } from '../personal-data/register/erase-again.ts';
import { readErasureRegisters } from '../personal-data/register/read-erasure-registers.ts';
import { openSecretStore, type SecretStoreOptions } from '../installation/open-secret-store.ts';
import { adoptFilePlace } from '../installation/adopt-file-place.ts';
import { deleteServers } from '../installation/data/installation-queries.ts';
import { directoryPlace } from '../platform/files/open-file-place.ts';
import type { LocalCopies } from '../platform/files/local-copies.ts';
import { openArchive } from '../platform/files/open-files.ts';
import { openInstallationSecrets, type VerifyingKey } from '../platform/installation-secrets.ts';
import { followEndorsements } from '../platform/secrets/follow-endorsements.ts';
import { keyPurposes } from '../platform/secrets/key-purposes.ts';
import { StartError } from '../platform/process/start-error.ts';

export interface RestoreContext {
  readonly database: Database;
  readonly config: SecretStoreOptions['config'];
  /** Minimum retention of audit events in days. */
  readonly keptDays: number;
  /** `checkpoint`, `audit-key`, `trust-keys-in-backup`, `erasures` and `no-erasures`. */
  readonly options: ReadonlyMap<string, string>;
  readonly now: Date;
  /** Archived months, if the files of the installation are not part of the backup. */
  readonly archive?: LocalCopies | undefined;
}

export interface ComposedRestore extends Pick<RestoreBackupOptions, 'prove' | 'onRestored'> {
  /** Result lines, after the proof. */
  readonly lines: () => readonly string[];
}

const PROGRESS_EVERY = 250_000;

/**
 * Verifies a restored backup and records the restore in the audit trail.
 * @throws StartError if no trusted key is known outside the backup
 */
export async function composeRestore(
  resources: AsyncDisposableStack,
  { database, config, keptDays, options, now, archive }: RestoreContext,
): Promise<ComposedRestore> {
  const checkpoint = await optionalCheckpoint(options.get('checkpoint'));
  const pinned = pinnedKeys(checkpoint, options.get('audit-key'));
  const store = await openSecretStore({ database, config });
  const own = await readOwnAuditKeys(store);
  const erasures = await readErasureRegisters(config.dataDir, options);
  const trustsBackup = options.has('trust-keys-in-backup');
  if (pinned.length + own.length === 0 && !trustsBackup) throw noTrustedKey();
  const known = new Set([...pinned, ...own.map(rawKeyOf)].map(toText));
  const isPinned = (key: VerifyingKey): boolean => trustsBackup || known.has(toText(rawKeyOf(key)));
  const analytics = resources.use(openAnalytics());
  let found: AuditVerification | undefined;
  let adopted: readonly VerifyingKey[] = [];
  let successor: AuditSigningKey | undefined;
  let again: ErasedAgain | undefined;
  return {
    async prove(loaded) {
      const inFiles = config.secrets.place.kind === 'file';
      adopted = await adoptKeys(loaded, { own: { store, inFiles }, now });
      // A backup can be older than the rotation to the key in the data folder.
      const keys = [...own.map((key) => ({ ...key, lastBlock: undefined })), ...adopted];
      const trusted = followEndorsements('audit', keys, isPinned);
      erasures.requireTrusted(
        (key) =>
          known.has(toText(rawKeyOf(key))) || trusted.some(({ keyId }) => keyId === key.keyId),
      );
      await erasures.requireNewerThan(database.orm);
      found = await proveBackup(
        { database, analytics, archive: archive ?? openArchive(loaded.aside) },
        {
          ...{ keptDays, trusted, checkpoint },
          signatures: loaded.signatures,
          onProgress: progressLines(),
        },
      );
    },
    async onRestored(client, { createdAt }) {
      const data = { backupMadeAt: createdAt, blocks: found?.blocks, head: found?.head };
      await recordAudit(transactionOn(client), [
        { type: 'installation.restored', actor: systemActor, data },
      ]);
      await deleteServers(transactionOn(client));
      const blocks = found?.blocks ?? 0;
      const secrets = await openInstallationSecrets(store, now);
      if (archive === undefined) {
        const place = directoryPlace(config.dataDir, 'DEVICEPORTAL_FILES');
        await adoptFilePlace(transactionOn(client), place);
      }
      openPersonalKeys(database, secrets.keysFor(keyPurposes.personalData));
      again = await eraseAgain(transactionOn(client), erasures.register, eraseWhole);
      const ring = await fitAuditRing(store, { keys: adopted, blocks, now });
      const from = found?.keyIds.at(-1);
      const next = await auditSignerOf(ring).keyAfter(from);
      if (from === undefined || from === next.keyId) return;
      successor = next;
      const rotated = { from, to: next.keyId, lastBlock: blocks };
      await recordAudit(transactionOn(client), [
        { type: 'audit-trail.key-rotated', actor: systemActor, data: rotated },
      ]);
    },
    lines: () => [
      `${found?.verified} audit events in ${found?.blocks} blocks match their seals. Head: ${found?.head}`,
      checkpoint === undefined
        ? 'Not proven: that there is no newer backup. Use a checkpoint to prove it.'
        : 'The block of the checkpoint is in the chain.',
      ...(successor === undefined
        ? []
        : [
            `The audit trail continues with a new key. Pin ${successor.publicKey.toString('base64url')}.`,
          ]),
      ...erasureLines(again, options.has('no-erasures')),
      ...(trustsBackup ? ['Not proven: the keys. They are from the backup itself.'] : []),
    ],
  };
}

const noTrustedKey = (): StartError =>
  new StartError(
    'No trusted key of the audit trail was found outside the backup. Set a checkpoint with --checkpoint, or the key that "npm run admin -- keys" printed with --audit-key. With --trust-keys-in-backup, a modified backup is not detected.',
  );

function erasureLines(again: ErasedAgain | undefined, isUnknown: boolean): string[] {
  const { people = [], keys = 0 } = again ?? {};
  const erased = `${people.length} people and ${keys} keys of the backup were erased again.`;
  if (!isUnknown) return [erased];
  const unknown = 'Not known: who was erased after the backup was made.';
  return people.length + keys > 0 ? [erased, unknown] : [unknown];
}

const optionalCheckpoint = async (file: string | undefined) =>
  file === undefined ? undefined : readCheckpoint(resolve(file));

const rawKeyOf = ({ publicKey }: VerifyingKey): Uint8Array => rawPublicKey(publicKey);
const toText = (key: Uint8Array): string => Buffer.from(key).toString('base64url');

function progressLines(): (verified: number) => void {
  let lastReported = 0;
  return (verified) => {
    if (verified - lastReported < PROGRESS_EVERY) return;
    lastReported = verified;
    process.stderr.write(`Verified ${verified} events …\n`);
  };
}
