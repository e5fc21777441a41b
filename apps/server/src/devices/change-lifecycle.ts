import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { terminateInvocations } from '../commands/execution/terminate-invocations.ts';
import type { Change } from '../platform/change-feed.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { refreshDeviceCopies } from './data/refresh-device-copies.ts';
import { lockLifecycle, updateLifecycle } from './data/device-queries.ts';
import { endCurrentInstance, updateRunningInstance } from './data/instance-queries.ts';
import type { DevicesDependencies } from './devices-dependencies.ts';
import { findDevice } from './find-device.ts';
import { getDevice } from './get-device.ts';
import { endReEnrollment } from './re-enrollment/end-re-enrollment.ts';
import { nextLifecycle, type LifecycleAct } from './lifecycle-policy.ts';

export interface LifecycleInput {
  readonly id: string;
  readonly reason: string;
  readonly act: LifecycleAct;
}

const auditTypes: Readonly<Record<LifecycleAct, AuditType>> = {
  suspend: 'device.suspended',
  resume: 'device.resumed',
  retire: 'device.retired',
};

/**
 * Suspends, resumes, or retires a device. Suspending blocks its connection; retiring revokes its certificate and is
 * final. Idempotent.
 *
 * @throws PortalError invalidParameters if the device is retired
 */
export async function changeLifecycle(
  deps: DevicesDependencies,
  caller: Caller,
  input: LifecycleInput,
): Promise<DeviceDetail> {
  const id = await findDevice(deps.database.orm, caller.viewer, {
    reference: input.id,
    permissions: ['devices:manage'],
  });
  const changes = await inTransaction(deps.database, (tx) => change(tx, { caller, input, id }));
  deps.changes.publish(changes);
  // Ends the device's open commands immediately. The worker's poll would also find them.
  if (input.act === 'retire') {
    deps.changes.publish(await terminateInvocations(deps.database, [id]));
  }
  return getDevice(deps, caller.viewer, id);
}

async function change(
  tx: Transaction,
  what: { readonly caller: Caller; readonly input: LifecycleInput; readonly id: string },
): Promise<Change[]> {
  const { caller, input, id } = what;
  const held = await lockLifecycle(tx, id);
  if (held === undefined) throw new PortalError('deviceNotFound', { facts: { device: id } });
  const { lifecycle, enrolled } = held;
  const next = nextLifecycle(lifecycle, input.act, enrolled);
  if (next === null) {
    throw refuse('device-retired', { facts: { lifecycle } });
  }
  if (next === lifecycle) return [];
  await updateLifecycle(tx, id, next);
  await refreshDeviceCopies(tx, [id]);
  if (input.act !== 'resume') await endReEnrollment(tx, id);
  const actor = actorOf(caller.viewer, caller);
  if (input.act === 'retire') {
    await endCurrentInstance(tx, id, 'revoked');
    await updateRunningInstance(tx, id, { instanceId: null });
  }
  await recordAudit(tx, [
    {
      type: auditTypes[input.act],
      actor,
      deviceId: id,
      requestId: caller.requestId,
      data: { before: lifecycle, after: next, reason: input.reason },
    },
  ]);
  return [
    ...(next === 'suspended' || next === 'retired'
      ? [{ kind: 'devices-blocked' as const, deviceIds: [id] }]
      : []),
    ...(input.act === 'resume' ? [{ kind: 'devices-resumed' as const, deviceIds: [id] }] : []),
    { kind: 'device-changed', deviceIds: [id] },
    { kind: 'audit-trail', deviceIds: [id] },
  ];
}
