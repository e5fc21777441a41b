import type { SecretName } from '@deviceportal/contract/installation';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import { StartError } from '../platform/process/start-error.ts';
import { readRecordedSecrets, recordSecret, lockRotations } from './data/installation-queries.ts';
import { secretFingerprints } from './secret-fingerprints.ts';

export interface AcceptSecretDeps {
  readonly database: Pick<Database, 'orm'>;
  readonly secrets: InstallationSecrets;
  readonly now: Date;
}

/**
 * Records the secret that this server has, replacing whatever the database recorded before.
 * @returns its fingerprint
 * @throws StartError when this server has no secret of this name
 */
export async function acceptSecret(
  { database, secrets, now }: AcceptSecretDeps,
  name: SecretName,
): Promise<string> {
  const own = (await secretFingerprints(secrets)).find((secret) => secret.name === name);
  if (own === undefined) throw new StartError(`The secrets of this server do not contain ${name}.`);
  await inTransaction(database, async (tx) => {
    await lockRotations(tx);
    const before = (await readRecordedSecrets(tx)).find((secret) => secret.name === name);
    await recordSecret(tx, { name, fingerprint: own.current, since: now });
    const data = { secret: name, from: before?.fingerprint ?? null, to: own.current };
    await recordAudit(tx, [{ type: 'installation.secret-accepted', actor: systemActor, data }]);
  });
  return own.current;
}
