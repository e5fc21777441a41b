import { sql } from 'drizzle-orm';
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
import { refreshDeviceCopies, serialRankOf } from '../device-copies-store.ts';

export interface PersonDraft {
  readonly id?: string;
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly country: string | null;
  readonly language: string | null;
}

export interface DeviceDraft {
  readonly id?: string;
  /** Upper case, as `serialNumberSchema` leaves it. */
  readonly serialNumber: string | null;
  readonly name: string;
  readonly model: string | null;
  readonly hardwareRevision?: string | null;
  /** Username of a person on record or of this description. */
  readonly owner?: string | null;
  readonly ownerId?: string | null;
  readonly country: string | null;
  readonly timeZone?: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly lifecycle?: DeviceLifecycle;
  readonly software?: readonly { readonly component: string; readonly version: string }[];
  /** Whole lists that it ran before, the oldest first. */
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
 * Puts people and devices on record, in a handful of statements however many they are. Serial numbers and usernames
 * that are on record already are left as they are; answers the ids of the devices that are new, by serial number or name.
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
  const inserted = await tx.execute<{ id: string }>(sql`
    insert into device (id, serial_number, serial_rank, name, model, hardware_revision, owner_id, country, time_zone,
      labels, lifecycle, created_at)
    select i.id, i.serial_number, i.serial_rank, i.name, i.model, i.hardware_revision, coalesce(i.owner_id, p.id), i.country, i.time_zone,
      i.labels, i.lifecycle, coalesce(i.created_at, portal_now())
    from jsonb_to_recordset(${JSON.stringify([...drafts].map(toInput))}::jsonb) as i(id uuid, serial_number text,
      serial_rank text, name text, model text, hardware_revision text, owner text, owner_id uuid, country text, time_zone text,
      labels jsonb, lifecycle text, created_at timestamptz)
    left join person p on p.username = i.owner
    on conflict do nothing
    returning id`);
  const created = inserted.rows.flatMap(({ id }) => {
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

async function insertPeople(tx: Transaction, people: readonly PersonDraft[]): Promise<void> {
  if (people.length === 0) return;
  const rows = people.map((draft) => ({ ...draft, id: draft.id ?? newId() }));
  await tx.execute(sql`
    insert into person (id, username, name, email, phone, country, language)
    select id, username, name, email, phone, country, language
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(id uuid, username text, name text, email text,
      phone text, country text, language text)
    on conflict (username) do nothing`);
}

function toInput([id, draft]: [string, DeviceDraft]) {
  return {
    id,
    serial_number: draft.serialNumber,
    serial_rank: serialRankOf(draft.serialNumber, id),
    name: draft.name,
    model: draft.model,
    hardware_revision: draft.hardwareRevision ?? null,
    owner: draft.owner ?? null,
    owner_id: draft.ownerId ?? null,
    country: draft.country,
    time_zone: draft.timeZone ?? null,
    labels: draft.labels,
    lifecycle: draft.lifecycle ?? 'pending',
    created_at: draft.createdAt?.toISOString() ?? null,
  };
}
