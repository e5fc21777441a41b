import {
  openCertificateAuthority,
  type RotatingCertificateAuthority,
} from '../gateway/certificates/certificate-authority.ts';
import { inTransaction } from '../platform/database/database.ts';
import { lockRotations } from './data/installation-queries.ts';
import { compareSecrets, type OwnSecretsDeps } from './require-own-secrets.ts';
import { withoutSecond } from './without-second.ts';

/**
 * Opens the device authority of this installation; the first call on any of its servers creates it.
 * @throws StartError if it is missing here, or belongs to another installation
 */
export function openOwnAuthority(
  { database, secrets, clock }: OwnSecretsDeps,
  hosts: readonly string[],
): Promise<RotatingCertificateAuthority> {
  return inTransaction(database, async (tx) => {
    await lockRotations(tx);
    const store = await withoutSecond(tx, secrets.store);
    const authority = await openCertificateAuthority({ store, hosts, clock });
    await compareSecrets(tx, { secrets, clock });
    return authority;
  });
}
