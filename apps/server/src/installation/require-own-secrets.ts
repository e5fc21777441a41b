import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import { StartError } from '../platform/process/start-error.ts';
import {
  readRecordedSecrets,
  recordSecret,
  lockRotations,
  type RecordedSecret,
} from './data/installation-queries.ts';
import { secretFiles, secretFingerprints, type SecretFingerprints } from './secret-fingerprints.ts';

export interface OwnSecretsDeps {
  readonly database: Pick<Database, 'orm'>;
  readonly secrets: InstallationSecrets;
  readonly clock: () => Date;
}

/**
 * Compares the secrets of this server with those recorded in the database, and records new ones. A secret that
 * succeeds the recorded one was rotated: the record is updated.
 * @throws StartError when a secret belongs to another installation, or is older than the database
 */
export async function requireOwnSecrets({ database, ...own }: OwnSecretsDeps): Promise<void> {
  await inTransaction(database, async (tx) => {
    await lockRotations(tx);
    await compareSecrets(tx, own);
  });
}

/** As `requireOwnSecrets`, in a transaction that holds the lock. */
export async function compareSecrets(
  tx: Transaction,
  { secrets, clock }: Omit<OwnSecretsDeps, 'database'>,
): Promise<void> {
  const recorded = await readRecordedSecrets(tx);
  for (const secret of await secretFingerprints(secrets)) {
    const known = recorded.find(({ name }) => name === secret.name);
    if (known?.fingerprint === secret.current) continue;
    if (known !== undefined && !secret.earlier.includes(known.fingerprint)) {
      throw new StartError(mismatchLine(secret, known, secrets));
    }
    await followSecret(tx, { secret, before: known, now: clock() });
  }
}

/** Updates the recorded secret to the current one; a rotation is recorded in the audit trail with it. */
async function followSecret(
  tx: Transaction,
  change: {
    readonly secret: Pick<SecretFingerprints, 'name' | 'current'>;
    readonly before: RecordedSecret | undefined;
    readonly now: Date;
  },
): Promise<void> {
  const { secret, before, now } = change;
  await recordSecret(tx, { name: secret.name, fingerprint: secret.current, since: now });
  if (before === undefined) return;
  const data = { secret: secret.name, from: before.fingerprint, to: secret.current };
  await recordAudit(tx, [{ type: 'installation.secret-rotated', actor: systemActor, data }]);
}

function mismatchLine(
  { name, current, next }: SecretFingerprints,
  known: RecordedSecret,
  { store }: InstallationSecrets,
): string {
  const place = store.placeOf(secretFiles[name]);
  const short = (fingerprint: string): string => fingerprint.slice(0, 16);
  const since = known.since.toISOString().slice(0, 10);
  if (next === known.fingerprint) {
    return `${place} is outdated: another server has used its next key (${short(known.fingerprint)}) since ${since}. Copy the file from that server again.`;
  }
  return `${place} does not belong to this installation: its fingerprint is ${short(current)}, but the database was last used with ${short(known.fingerprint)} (since ${since}). ${store.remedy}`;
}
