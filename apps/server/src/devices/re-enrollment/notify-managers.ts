import { reaches } from '@deviceportal/contract/permissions';
import type { MachineFacts } from '@deviceportal/contract/re-enrollment';
import { findUsersWithPermission } from '../../access/data/users-with-permission.ts';
import { notify } from '../../notifications/notify.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';

export interface RequestedDevice {
  readonly id: string;
  readonly name: string;
  readonly serialNumber: string | null;
  readonly model: string | null;
  readonly country: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

export const subjectOf = (requestId: string): string => `re-enrolment:${requestId}`;

/** Notifies the users who can decide. */
export async function notifyManagers(
  tx: Transaction,
  asked: { readonly id: string; readonly device: RequestedDevice; readonly machine: MachineFacts },
): Promise<Change[]> {
  const { device, machine } = asked;
  const { hostName, address } = machine;
  const facts = { deviceId: device.id, device: device.serialNumber ?? device.name };
  const managers = await findUsersWithPermission(tx, 'devices:manage');
  return notify(
    tx,
    managers
      .filter(({ scopes }) => reaches(scopes, device))
      .map(({ userId }) => ({
        ...{ userId, kind: 're-enrolment-asked', subject: subjectOf(asked.id) },
        facts: { ...facts, hostName, address },
      })),
  );
}
