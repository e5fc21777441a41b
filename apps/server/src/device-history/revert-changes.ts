import type { AuditActor } from '@deviceportal/contract/audit-trail';
import type { Connectivity } from '@deviceportal/contract/states';

/** A change of a device, as recorded in the audit trail. */
export interface DeviceEvent {
  readonly at: string;
  readonly type: string;
  readonly actor: Pick<AuditActor, 'kind' | 'id' | 'name'>;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Fields of a device's record whose changes are in the audit trail. */
export const recordFields = [
  'lifecycle',
  'name',
  'serialNumber',
  'model',
  'hardwareRevision',
  'ownerId',
  'country',
  'timeZone',
  'labels',
] as const;
export type RecordField = (typeof recordFields)[number];
export type RecordValue = string | null | Readonly<Record<string, string>>;
export type DeviceRecord = Readonly<Record<RecordField, RecordValue>>;

export interface EarlierValue {
  readonly value: RecordValue;
  /** False if the oldest change did not record the previous value. */
  readonly isKnown: boolean;
  /** The last change after the moment; null if there was none. */
  readonly change: DeviceEvent | null;
}

/**
 * Restores the record as it was before the given changes.
 * @param changes newest first
 */
export function revertChanges(
  now: DeviceRecord,
  changes: readonly DeviceEvent[],
): Readonly<Record<RecordField, EarlierValue>> {
  const fields = Object.fromEntries(
    recordFields.map((field) => [field, { value: now[field], isKnown: true, change: null }]),
  ) as Record<RecordField, EarlierValue>;
  for (const change of changes) {
    for (const [field, before] of beforeOf(change)) {
      fields[field] = {
        value: before ?? null,
        isKnown: before !== undefined,
        change: fields[field].change ?? change,
      };
    }
  }
  return fields;
}

type Before = readonly [RecordField, RecordValue | undefined];

/** Previous value of each field that an event changed; undefined if the event did not record it. */
function beforeOf({ type, data }: DeviceEvent): readonly Before[] {
  switch (type) {
    case 'device.updated':
      return known(data['before'], data['after']);
    case 'device.inventory-changed':
      return known(data['before'], data['changed']);
    case 'device.labels-changed':
      return [['labels', (data['before'] as RecordValue | undefined) ?? undefined]];
    case 'device.enrolled':
      return [['lifecycle', 'pending']];
    default:
      return [['lifecycle', data['before'] as string | undefined]];
  }
}

function known(before: unknown, changed: unknown): readonly Before[] {
  const old = (before ?? {}) as Record<string, RecordValue>;
  return recordFields
    .filter((field) => field in ((changed ?? {}) as object))
    .map((field) => [field, field in old ? old[field] : undefined] as const);
}

/** Connectivity after an event; null means that the device had never connected. */
export function connectivityAfter(event: DeviceEvent | null): Connectivity {
  switch (event?.type) {
    case undefined:
      return 'never';
    case 'device.connected':
      return event.data['connectivity'] === 'degraded' ? 'degraded' : 'online';
    case 'device.degraded':
      return 'degraded';
    case 'device.recovered':
      return 'online';
    default:
      return 'offline';
  }
}
