import { newId } from '@deviceportal/contract/ids';
import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { activatePending, insertPendingDevice } from '../data/enrollment/enrollment-queries.ts';
import { insertInstance, updateRunningInstance } from '../data/instance-queries.ts';
import { refreshDeviceCopies, serialRankOf } from '../data/refresh-device-copies.ts';

/** A managed instance of AWS Systems Manager, in plain text. */
export interface ManagedInstanceFacts {
  /** `i-…` or `mi-…`. */
  readonly instanceId: string;
  readonly name: string;
  readonly country: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly platformType: string;
  readonly platformName: string;
  readonly platformVersion: string;
  readonly agentVersion: string;
  readonly hostName: string;
  readonly ipAddress: string | null;
}

/** It has no certificate, with which a device connects to the gateway. */
const NO_CERTIFICATE = {
  certificateFingerprint: '',
  certificateEndsAt: new Date('9999-12-31T00:00:00Z'),
};

/**
 * Creates the device as which a managed instance appears, active, with the instance as its agent.
 * @returns its ID
 */
export async function adoptManagedInstance(
  tx: Transaction,
  found: ManagedInstanceFacts,
  now: Date,
): Promise<string> {
  const { instanceId, name, country, labels, ...instance } = found;
  const id = newId();
  await insertPendingDevice(tx, {
    ...{ id, serialNumber: null, serialRank: serialRankOf(null, id), engine: 'ssm' },
    name: name.trim().slice(0, 128) || instanceId,
    ...{ model: null, ownerId: null, country, labels: { ...labels } },
  });
  const machine = { ...instance, architecture: '', enrolledAt: now };
  await insertInstance(tx, { id: instanceId, deviceId: id, ...machine, ...NO_CERTIFICATE });
  await activatePending(tx, id, now);
  await refreshDeviceCopies(tx, [id]);
  const { agentVersion, platformType: platform } = instance;
  await updateRunningInstance(tx, id, { instanceId, agentVersion, platform });
  const event = { actor: systemActor, deviceId: id, at: now };
  await recordAudit(tx, [
    { ...event, type: 'device.created', data: { engine: 'ssm' } },
    { ...event, type: 'device.enrolled', data: { instanceId, supersededInstanceId: null } },
  ]);
  return id;
}
