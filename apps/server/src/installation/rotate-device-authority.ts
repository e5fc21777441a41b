import { DEVICE_CERTIFICATE_DAYS } from '@deviceportal/contract/constants';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import type { RotatingCertificateAuthority } from '../gateway/certificates/certificate-authority.ts';
import {
  AUTHORITIES_FILE,
  DEVICE_AUTHORITY_FILE,
} from '../gateway/certificates/device-authority-ring.ts';
import { SERVER_FILE } from '../gateway/certificates/server-certificate.ts';
import { inTransaction } from '../platform/database/database.ts';
import { awaitServers, knows } from './await-servers.ts';
import { requireOwnSecrets } from './require-own-secrets.ts';
import type { RotationDeps, RotationOutcome } from './rotation-deps.ts';
import { fingerprintOfCertificate } from './secret-fingerprints.ts';

export interface DeviceAuthorityDeps extends RotationDeps {
  readonly authority: RotatingCertificateAuthority;
}

export interface RotateDeviceAuthorityOptions {
  /** False continues a rotation in progress and starts none. */
  readonly begin: boolean;
  /** Ends the overlap immediately: devices that have not renewed can no longer connect. */
  readonly now: boolean;
  /**
   * `own`: the portal's broker is updated automatically. An external broker must be changed before each step that
   * could disconnect devices: `asks` stops before such a step, and `ready` is the operator's confirmation.
   */
  readonly broker: 'own' | 'asks' | 'ready';
}

const DAY_MS = 86_400_000;
/** Validity of a certificate issued just before the rotation: all devices have renewed by then. */
const OVERLAP_MS = DEVICE_CERTIFICATE_DAYS * DAY_MS;

/**
 * Rotates the certificate authority of devices: creates and announces the next one, issues new certificates with it,
 * and accepts the previous one until the last certificate that it issued has expired.
 */
export async function rotateDeviceAuthority(
  deps: DeviceAuthorityDeps,
  options: RotateDeviceAuthorityOptions,
): Promise<RotationOutcome> {
  const { authority, secrets, clock } = deps;
  const { ring } = authority;
  await ring.refresh();
  const begins = ring.next === undefined && ring.earlier.length === 0;
  if (begins) {
    if (!options.begin) return { kind: 'done', lines: [] };
    await ring.prepare(clock());
  }
  if (ring.next !== undefined) {
    const next = fingerprintOfCertificate(ring.next.certificate);
    const servers = await awaitServers(deps, 'device-authority', knows(next));
    if (servers.length > 0) {
      return { kind: 'waits', servers, file: secrets.store.placeOf(DEVICE_AUTHORITY_FILE) };
    }
    // The new authority has not been loaded by any server yet.
    const isKnown = options.broker === 'own' || (options.broker === 'ready' && !begins);
    if (!isKnown) return asks(secrets.store.placeOf(AUTHORITIES_FILE), requests.authorities);
    await authority.promote(new Date(clock().getTime() + OVERLAP_MS));
  }
  // Also repairs the record if a process was killed between writing the file and the database.
  await requireOwnSecrets(deps);
  return endOverlap(deps, options);
}

const requests = {
  authorities:
    'The next authority is created, and connected agents are notified. Add the certificates in this file to the authorities of your broker',
  certificate:
    'The overlap with the previous authority has ended. Install the certificate and the key in this file on your broker',
} as const;

const asks = (file: string, request: string): RotationOutcome => ({
  kind: 'asks',
  request: `${file}: ${request}, reload it, and run the command again with --broker-ready.`,
});

async function endOverlap(
  { database, secrets, authority, clock }: DeviceAuthorityDeps,
  { now, broker }: RotateDeviceAuthorityOptions,
): Promise<RotationOutcome> {
  const { ring } = authority;
  const ended = ring.earlier.filter((each) => now || each.acceptedUntil <= clock());
  if (ended.length > 0) {
    const isNew = broker !== 'own' && !now && (await authority.serveCurrent());
    if (isNew || (broker === 'asks' && !now)) {
      return asks(secrets.store.placeOf(SERVER_FILE), requests.certificate);
    }
    const fingerprints = ended.map(({ certificate }) => fingerprintOfCertificate(certificate));
    await inTransaction(database, (tx) =>
      recordAudit(tx, [
        {
          type: 'installation.secret-retired',
          actor: systemActor,
          data: { secret: 'device-authority', fingerprints },
        },
      ]),
    );
    const last = Math.max(...ended.map(({ acceptedUntil }) => acceptedUntil.getTime()));
    await ring.endEarlier(new Date(last));
  }
  const until = ring.earlier[0]?.acceptedUntil;
  if (until !== undefined) return { kind: 'overlaps', until, lines: [] };
  const lines = ended.length > 0 ? ['The previous authority is no longer accepted.'] : [];
  return { kind: 'done', lines };
}
