import type { SecretName } from '@deviceportal/contract/installation';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { InstallationSecrets } from '../platform/installation-secrets.ts';
import { StartError } from '../platform/process/start-error.ts';
import {
  readRecordedSecrets,
  recordSecret,
  takeRotationTurn,
} from './data/installation-queries.ts';
import { secretFingerprints } from './secret-fingerprints.ts';

export interface AcceptSecretDeps {
  readonly database: Pick<Database, 'orm'>;
  readonly secrets: InstallationSecrets;
  readonly now: Date;
}

/**
 * Records the secret that this server has, whatever the database was used with before.
 *
 * @returns its fingerprint
 * @throws StartError when this server has none of this name
 */
export async function acceptSecret(
  { database, secrets, now }: AcceptSecretDeps,
  name: SecretName,
): Promise<string> {
  const mine = (await secretFingerprints(secrets)).find((secret) => secret.name === name);
  if (mine === undefined)
    throw new StartError(`The data directory does not contain the secret ${name}.`);
  await inTransaction(database, async (tx) => {
    await takeRotationTurn(tx);
    const before = (await readRecordedSecrets(tx)).find((secret) => secret.name === name);
    await recordSecret(tx, { name, fingerprint: mine.current, since: now });
    const data = { secret: name, from: before?.fingerprint ?? null, to: mine.current };
    await recordAudit(tx, [{ type: 'installation.secret-accepted', actor: systemActor, data }]);
  });
  return mine.current;
}
