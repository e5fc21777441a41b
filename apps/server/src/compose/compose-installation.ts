import { anchorPlacesOf } from '../audit-trail/anchors/open-anchors.ts';
import { composeSealed } from './compose-sealed.ts';
import type { Composition } from './composition.ts';
import { brokerHosts } from '../gateway/broker/broker-hosts.ts';
import type { RotatingCertificateAuthority } from '../gateway/certificates/certificate-authority.ts';
import { findDeviceAuthorities } from '../gateway/certificates/device-authority-ring.ts';
import type { EmbeddedBroker } from '../gateway/embedded-transport.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { announceServer } from '../installation/announce-server.ts';
import { openOwnAuthority } from '../installation/open-own-authority.ts';
import { rotateAuditKey } from '../installation/rotate-audit-key.ts';
import { rotateDeviceAuthority } from '../installation/rotate-device-authority.ts';
import { rotateInstallationKey } from '../installation/rotate-installation-key.ts';
import { scheduleRotations } from '../installation/schedule-rotations.ts';

export interface ServedDevices {
  readonly broker: EmbeddedBroker;
  readonly authority: RotatingCertificateAuthority | undefined;
  readonly gateway: Gateway | undefined;
}

/**
 * Handles secrets rotated by another process: this server uses them and notifies devices without a
 * restart.
 */
export async function composeInstallation(
  composition: Composition,
  { broker, authority, gateway }: ServedDevices,
): Promise<void> {
  const { platform, resources, secrets } = composition;
  const { database, logger } = platform;
  let told = authority?.authorities;
  const onRefreshed = async (): Promise<void> => {
    if (authority === undefined) return;
    await authority.refresh();
    if (authority.authorities === told) return;
    broker.useCertificates(authority);
    await gateway?.announceAuthorities();
    told = authority.authorities;
  };
  resources.use(await announceServer({ database, secrets, logger, onRefreshed }));
  if (platform.config.roles.has('worker')) composeRotations(composition, authority);
}

/** In addition to the interval at which servers read their secrets. The job runs again an hour later. */
const WAIT_MS = 30_000;

function composeRotations(
  { platform, secrets, clock, auditSigner }: Composition,
  served: RotatingCertificateAuthority | undefined,
): void {
  const { config, database, jobs, logger, publicUrl } = platform;
  const deps = { database, secrets, clock, waitMs: WAIT_MS + secrets.store.refreshMs };
  const sealed = composeSealed({ database, secrets });
  const anchors = anchorPlacesOf(config.audit.anchors);
  const hosts = brokerHosts(config, publicUrl);
  const broker = config.broker.kind === 'embedded' ? 'own' : 'asks';
  const openAuthority = async () => served ?? openOwnAuthority({ database, secrets, clock }, hosts);
  scheduleRotations({ database, clock, jobs, logger }, [
    {
      name: 'installation-key',
      maxAgeDays: config.secretMaxAgeDays['installation-key'],
      rotate: (begin) => rotateInstallationKey({ ...deps, sealed }, { begin, now: false }),
    },
    {
      name: 'device-authority',
      maxAgeDays: config.secretMaxAgeDays['device-authority'],
      rotate: async (begin) => {
        const isThere = (await findDeviceAuthorities(secrets.store)) !== undefined;
        if (!isThere) return { kind: 'done', lines: [] };
        const authority = await openAuthority();
        return rotateDeviceAuthority({ ...deps, authority }, { begin, now: false, broker });
      },
    },
    {
      name: 'audit',
      maxAgeDays: config.secretMaxAgeDays.audit,
      rotate: (begin) => rotateAuditKey({ ...deps, signer: auditSigner, anchors }, { begin }),
    },
  ]);
}
