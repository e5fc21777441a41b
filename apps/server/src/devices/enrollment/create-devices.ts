import type { PlaceSource } from '@deviceportal/contract/devices';
import { newId } from '@deviceportal/contract/ids';
import type { DeviceLifecycle } from '@deviceportal/contract/states';
import { recordAudit, systemActor, type AuditActorDraft } from '../../audit-trail/record-audit.ts';
import { applyPositions } from '../../locations/apply-position.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { applyPackages } from '../../packages/apply-packages.ts';
import { applySoftware } from '../../versions/apply-software.ts';
import { findPersonIds, insertPeople, type PersonDraft } from '../../people/data/insert-people.ts';
import { insertDeviceBatch, type NewDevice } from '../data/enrollment/device-batch-queries.ts';
import { refreshDeviceCopies, serialRankOf } from '../data/refresh-device-copies.ts';

export interface DeviceDraft {
  readonly id?: string;
  /** Uppercase, as parsed by `serialNumberSchema`. */
  readonly serialNumber: string | null;
  readonly name: string;
  readonly model: string | null;
  readonly hardwareRevision?: string | null;
  /** Username of an existing person or of one in this description. */
  readonly owner?: string | null;
  readonly ownerId?: string | null;
  readonly country: string | null;
  readonly timeZone?: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly lifecycle?: DeviceLifecycle;
  readonly software?: readonly { readonly component: string; readonly version: string }[];
  /** Earlier software lists, oldest first. */
  readonly pastSoftware?: readonly {
    readonly at: Date;
    readonly components: readonly { readonly component: string; readonly version: string }[];
  }[];
  readonly packages?: readonly { readonly name: string; readonly version: string }[];
  readonly place?: {
    readonly latitude: number;
    readonly longitude: number;
    readonly accuracyMeters: number;
    readonly source: PlaceSource;
  };
  readonly createdAt?: Date;
}

export interface FleetDescription {
  readonly people: readonly PersonDraft[];
  readonly devices: readonly DeviceDraft[];
}

/**
 * Inserts people and devices in bulk with a constant number of statements. Existing serial numbers and usernames are
 * skipped. Returns the IDs of new devices, by serial number or name.
 */
export async function createDevices(
  deps: { readonly database: Database },
  description: FleetDescription,
): Promise<ReadonlyMap<string, string>> {
  return inTransaction(deps.database, (tx) =>
    insertDevices(tx, description, { actor: systemActor, requestId: null }),
  );
}

export async function insertDevices(
  tx: Transaction,
  description: FleetDescription,
  by: { readonly actor: AuditActorDraft; readonly requestId: string | null },
): Promise<ReadonlyMap<string, string>> {
  await insertPeople(tx, description.people);
  const drafts = new Map(description.devices.map((draft) => [draft.id ?? newId(), draft]));
  if (drafts.size === 0) return new Map();
  const owners = await findPersonIds(
    tx,
    description.devices.flatMap(({ owner }) => owner ?? []),
  );
  const inserted = await insertDeviceBatch(
    tx,
    [...drafts].map(([id, draft]) => toNewDevice(id, draft, owners)),
  );
  const created = inserted.flatMap((id) => {
    const draft = drafts.get(id);
    return draft === undefined ? [] : [{ id, draft, at: draft.createdAt ?? new Date() }];
  });
  await refreshDeviceCopies(
    tx,
    created.map(({ id }) => id),
  );
  const most = Math.max(0, ...created.map(({ draft }) => draft.pastSoftware?.length ?? 0));
  for (let turn = 0; turn < most; turn += 1) {
    const lists = created.flatMap(({ id, draft }) => {
      const list = draft.pastSoftware?.[turn];
      return list === undefined ? [] : [{ deviceId: id, ...list }];
    });
    await applySoftware(tx, lists);
  }
  await applySoftware(
    tx,
    created.flatMap(({ id, draft, at }) =>
      draft.software === undefined ? [] : [{ deviceId: id, at, components: draft.software }],
    ),
  );
  await applyPackages(
    tx,
    created.flatMap(({ id, draft: { packages }, at }) =>
      packages === undefined
        ? []
        : [{ deviceId: id, at, report: newId(), after: null, upTo: null, packages }],
    ),
  );
  await applyPositions(
    tx,
    created.flatMap(({ id, draft, at }) =>
      draft.place === undefined ? [] : [{ deviceId: id, at, ...draft.place }],
    ),
  );
  await recordAudit(
    tx,
    created.map(({ id, draft }) => ({
      type: 'device.created',
      ...by,
      deviceId: id,
      data: { serialNumber: draft.serialNumber, name: draft.name, model: draft.model },
    })),
  );
  return new Map(created.map(({ id, draft }) => [draft.serialNumber ?? draft.name, id]));
}

function toNewDevice(
  id: string,
  draft: DeviceDraft,
  owners: ReadonlyMap<string, string>,
): NewDevice {
  const { serialNumber, name, model, country, labels, owner } = draft;
  return {
    ...{ id, serialNumber, name, model, country, labels },
    serialRank: serialRankOf(serialNumber, id),
    hardwareRevision: draft.hardwareRevision ?? null,
    ownerId: draft.ownerId ?? (owner ? owners.get(owner) : null) ?? null,
    timeZone: draft.timeZone ?? null,
    lifecycle: draft.lifecycle ?? 'pending',
    createdAt: draft.createdAt ?? null,
  };
}
