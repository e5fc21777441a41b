import { sql } from 'drizzle-orm';
import {
  standingOf,
  type CertificateStanding,
} from '../devices/enrollment/standing-of-certificate.ts';
import type { ConnectRequest } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import type { RefusalRecorder } from './record-refusals.ts';

type InstanceRow = Record<string, unknown> & {
  readonly device_id: string;
  readonly id: string;
  readonly fingerprint: string;
  readonly starts_at: string | Date | null;
  readonly lifecycle: string;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Who may connect: the certificate is that of the device's current instance (the one in use, or a renewed one), and the device is neither suspended nor retired. One statement for all that wait.
 */
export async function admitDevices(
  { database }: Pick<GatewayDependencies, 'database'>,
  refusals: Pick<RefusalRecorder, 'record'>,
  requests: readonly ConnectRequest[],
): Promise<boolean[]> {
  const ids = JSON.stringify(
    requests.map(({ deviceId }) => deviceId).filter((id) => UUID.test(id)),
  );
  const result = await database.orm.execute<InstanceRow>(sql`
    select instance.device_id, instance.id, instance.certificate_fingerprint as fingerprint,
      instance.certificate_starts_at as starts_at, device.lifecycle
    from device_instance as instance join device on device.id = instance.device_id
    where instance.state = 'current'
      and instance.device_id in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb))`);
  const rows = new Map(result.rows.map((row) => [row.device_id, row]));
  const renewed: RenewedCertificate[] = [];
  const answers = requests.map((request) => {
    const row = rows.get(request.deviceId);
    const fault = faultOf(row, request);
    if (fault !== undefined) {
      const { deviceId, address } = request;
      refusals.record({ deviceId, address, reason: 'not-admitted', detail: fault });
    } else if (row && standing(row, request) === 'renewed') renewed.push(toRenewed(row, request));
    return fault === undefined;
  });
  await supersede(database, renewed);
  return answers;
}

interface RenewedCertificate {
  readonly id: string;
  readonly fingerprint: string | null;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
}

const toRenewed = ({ id }: InstanceRow, request: ConnectRequest): RenewedCertificate => ({
  id,
  fingerprint: request.fingerprint,
  starts_at: request.certificateStartsAt,
  ends_at: request.certificateEndsAt,
});

/** The certificates that were used before count no more. */
async function supersede(
  { orm }: Pick<GatewayDependencies['database'], 'orm'>,
  renewed: readonly RenewedCertificate[],
): Promise<void> {
  if (renewed.length === 0) return;
  await orm.execute(sql`
    update device_instance as instance
    set certificate_fingerprint = used.fingerprint, certificate_starts_at = used.starts_at,
        certificate_ends_at = used.ends_at
    from jsonb_to_recordset(${JSON.stringify(renewed)}::jsonb) as used(
      id text, fingerprint text, starts_at timestamptz, ends_at timestamptz)
    where instance.id = used.id
      and (instance.certificate_starts_at is null or instance.certificate_starts_at < used.starts_at)`);
}

const momentOf = (value: string | Date | null): Date | null =>
  value === null ? null : new Date(value);

const standing = (row: InstanceRow, request: ConnectRequest): CertificateStanding =>
  standingOf(
    { ...request, startsAt: momentOf(request.certificateStartsAt) },
    { instanceId: row.id, fingerprint: row.fingerprint, startsAt: momentOf(row.starts_at) },
  );

function faultOf(row: InstanceRow | undefined, request: ConnectRequest): string | undefined {
  if (!row) return 'no current instance';
  if (row.lifecycle === 'suspended' || row.lifecycle === 'retired') return row.lifecycle;
  // Null only on the plain port, which believes user names.
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
