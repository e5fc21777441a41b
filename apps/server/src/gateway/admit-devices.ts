import { sql } from 'drizzle-orm';
import type { ConnectRequest } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import type { RefusalRecorder } from './record-refusals.ts';

type InstanceRow = Record<string, unknown> & {
  readonly device_id: string;
  readonly id: string;
  readonly fingerprint: string;
  readonly lifecycle: string;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Who may connect: the certificate is that of the device's current instance (as enrolled, or a renewed one that
 * names the instance), and the device is neither suspended nor retired. One statement for all that wait.
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
    select instance.device_id, instance.id, instance.certificate_fingerprint as fingerprint, device.lifecycle
    from device_instance as instance join device on device.id = instance.device_id
    where instance.state = 'current'
      and instance.device_id in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb))`);
  const rows = new Map(result.rows.map((row) => [row.device_id, row]));
  const renewed: { id: string; fingerprint: string; ends_at: string }[] = [];
  const answers = requests.map((request) => {
    const row = rows.get(request.deviceId);
    const fault = faultOf(row, request);
    if (fault !== undefined) {
      const { deviceId, address } = request;
      refusals.record({ deviceId, address, reason: 'not-admitted', detail: fault });
    } else if (row && isRenewed(row, request)) {
      const { fingerprint, certificateEndsAt } = request;
      renewed.push({
        id: row.id,
        fingerprint: fingerprint ?? '',
        ends_at: certificateEndsAt ?? '',
      });
    }
    return fault === undefined;
  });
  if (renewed.length > 0) {
    await database.orm.execute(sql`
      update device_instance as instance
      set certificate_fingerprint = used.fingerprint, certificate_ends_at = used.ends_at
      from jsonb_to_recordset(${JSON.stringify(renewed)}::jsonb) as used(
        id text, fingerprint text, ends_at timestamptz)
      where instance.id = used.id`);
  }
  return answers;
}

const isRenewed = (row: InstanceRow, { fingerprint }: ConnectRequest): boolean =>
  fingerprint !== null && fingerprint !== row.fingerprint.toLowerCase();

function faultOf(row: InstanceRow | undefined, request: ConnectRequest): string | undefined {
  if (!row) return 'no current instance';
  if (row.lifecycle === 'suspended' || row.lifecycle === 'retired') return row.lifecycle;
  // Null only on the plain port, which believes user names.
  if (request.fingerprint === null) return undefined;
  const isCurrent = request.fingerprint === row.fingerprint.toLowerCase();
  return isCurrent || request.instanceId === row.id ? undefined : 'certificate of another instance';
}
