import {
  findCurrentInstances,
  replaceCertificates,
  type AdmissibleInstance,
  type UsedCertificate,
} from '../devices/data/connections/served-instances.ts';
import {
  standingOf,
  type CertificateStanding,
} from '../devices/enrollment/standing-of-certificate.ts';
import type { ConnectRequest } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import type { RefusalRecorder } from './record-refusals.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Decides whether devices may connect: the certificate must be that of the device's current instance (the one in use,
 * or a renewed one), and the device must be neither suspended nor retired. One statement for all pending requests.
 */
export async function admitDevices(
  { database }: Pick<GatewayDependencies, 'database'>,
  refusals: Pick<RefusalRecorder, 'record'>,
  requests: readonly ConnectRequest[],
): Promise<boolean[]> {
  const found = await findCurrentInstances(
    database.orm,
    requests.map(({ deviceId }) => deviceId).filter((id) => UUID.test(id)),
  );
  const rows = new Map(found.map((row) => [row.deviceId, row]));
  const renewed: UsedCertificate[] = [];
  const answers = requests.map((request) => {
    const row = rows.get(request.deviceId);
    const fault = faultOf(row, request);
    if (fault !== undefined) {
      const { deviceId, address } = request;
      refusals.record({ deviceId, address, reason: 'not-admitted', detail: fault });
    } else if (row && standing(row, request) === 'renewed') renewed.push(...toUsed(row, request));
    return fault === undefined;
  });
  if (renewed.length > 0) await replaceCertificates(database.orm, renewed);
  return answers;
}

function toUsed(
  { instanceId }: AdmissibleInstance,
  { fingerprint, certificateStartsAt, certificateEndsAt }: ConnectRequest,
): UsedCertificate[] {
  if (fingerprint === null || certificateEndsAt === null) return [];
  return [
    {
      id: instanceId,
      certificateFingerprint: fingerprint,
      certificateStartsAt: momentOf(certificateStartsAt),
      certificateEndsAt: new Date(certificateEndsAt),
    },
  ];
}

const momentOf = (value: string | null): Date | null => (value === null ? null : new Date(value));

const standing = (row: AdmissibleInstance, request: ConnectRequest): CertificateStanding =>
  standingOf({ ...request, startsAt: momentOf(request.certificateStartsAt) }, row);

function faultOf(row: AdmissibleInstance | undefined, request: ConnectRequest): string | undefined {
  if (!row) return 'no current instance';
  if (row.lifecycle === 'suspended' || row.lifecycle === 'retired') return row.lifecycle;
  // Null only on the port without TLS, which trusts usernames.
  if (request.fingerprint === null) return undefined;
  switch (standing(row, request)) {
    case 'foreign':
      return 'certificate of another instance';
    case 'superseded':
      return 'certificate that was renewed';
    default:
      return undefined;
  }
}
