import { isDeepStrictEqual } from 'node:util';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import {
  openInstallationSecrets,
  type InstallationSecrets,
} from '../platform/installation-secrets.ts';
import { StartError } from '../platform/process/start-error.ts';
import type { SecretEngine } from '../platform/secrets/secret-engine.ts';
import { lockRotations } from './data/installation-queries.ts';
import { sharedSecrets } from './beside-files.ts';
import { secretFingerprints } from './secret-fingerprints.ts';

export interface CopySecretsDeps {
  readonly database: Pick<Database, 'orm'>;
  /** Opened from the place where they are now. */
  readonly secrets: InstallationSecrets;
  readonly target: SecretEngine;
  /** Both places as `DEVICEPORTAL_SECRETS` names them, for the audit trail. */
  readonly places: { readonly from: string; readonly to: string };
}

/**
 * Copies the shared secrets to another place, where each must be missing or equal. Nothing is deleted, and a repeated
 * call continues. Call it while no rotation runs.
 *
 * @returns how many secrets the other place has now
 * @throws StartError if the other place has another secret of the same name
 */
export async function copySecrets({
  database,
  secrets,
  target,
  places,
}: CopySecretsDeps): Promise<number> {
  return inTransaction(database, async (tx) => {
    // A starting server may be creating the device authority.
    await lockRotations(tx);
    let copied = 0;
    for (const name of sharedSecrets) {
      const secret = await secrets.store.read(name);
      if (secret === undefined) continue;
      const kept = await target.create(name, secret);
      if (!kept.equals(secret)) throw new StartError(`${target.placeOf(name)} ${IS_OTHER}`);
      copied += 1;
    }
    await requireSame(secrets, target);
    await recordAudit(tx, [
      { type: 'installation.secrets-copied', actor: systemActor, data: { ...places, copied } },
    ]);
    return copied;
  });
}

const IS_OTHER =
  'is another secret, or one from before a rotation. Delete it after making sure that no server uses it, or choose another place. Nothing was changed in either place beyond adding missing secrets.';

/** Compares what servers would use, read again from the target. */
async function requireSame(secrets: InstallationSecrets, target: SecretEngine): Promise<void> {
  await secrets.refresh();
  const create = (name: string): never => {
    throw new StartError(`${target.placeOf(name)} was not copied.`);
  };
  const copy = await openInstallationSecrets({ ...target, create });
  const [before, after] = [await secretFingerprints(secrets), await secretFingerprints(copy)];
  if (isDeepStrictEqual(before, after)) return;
  throw new StartError(
    `The fingerprints of the copied secrets differ, so they must not be used. ${target.placeOf('certificates')} may contain a device authority of another time.`,
  );
}
