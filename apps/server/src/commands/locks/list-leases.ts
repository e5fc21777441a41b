import { sql } from 'drizzle-orm';
import type { Lease } from '@deviceportal/contract/leases';
import { findDevice } from '../../devices/find-device.ts';
import { maskUser } from '../../people/mask-person.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';

interface StoredLease extends Omit<Lease, 'holder' | 'own' | 'step'> {
  readonly holder: string;
  readonly holderId: string;
  readonly steps: readonly { readonly name?: string; readonly state?: string }[];
}

/**
 * Who is changing a device right now, and what their command is at.
 * @throws PortalError 6000 for a device that the viewer does not see
 */
export async function listLeases(
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
  { deviceId }: { readonly deviceId: string },
): Promise<Lease[]> {
  const wanted = { reference: deviceId, permissions: ['commands:read' as const] };
  const id = await findDevice(database.orm, viewer, wanted);
  const { rows } = await database.orm.execute(sql`
    select invocation_id as "invocationId", run_id as "runId", command, holder, holder_id as "holderId",
           since, expires_at as "expiresAt", steps
    from lease where device_id = ${id} order by since`);
  return (rows as unknown as StoredLease[]).map(
    ({ holderId, steps, since, expiresAt, holder, ...lease }) => ({
      ...lease,
      holder: maskUser(holder, viewer),
      own: holderId === viewer.userId,
      since: isoOf(since),
      expiresAt: isoOf(expiresAt),
      step: (steps.find(({ state }) => state === 'InProgress') ?? steps.at(-1))?.name ?? null,
    }),
  );
}
