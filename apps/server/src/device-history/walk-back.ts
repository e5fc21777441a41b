import type { AuditActor } from '@deviceportal/contract/audit-trail';
import type { Connectivity } from '@deviceportal/contract/states';

/** What the audit trail says of one change. */
export interface DeviceEvent {
  readonly at: string;
  readonly type: string;
  readonly actor: Pick<AuditActor, 'kind' | 'id' | 'name'>;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The fields of a device's record that change in the audit trail. */
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

export interface FieldThen {
  readonly value: RecordValue;
  /** False where a change did not record what was there before. */
  readonly isKnown: boolean;
  /** The last change since; null where there was none. */
  readonly change: DeviceEvent | null;
}

/**
 * The record as it was before some changes.
 * @param changes newest first, as the audit trail has them
 */
export function walkBack(
  now: DeviceRecord,
  changes: readonly DeviceEvent[],
): Readonly<Record<RecordField, FieldThen>> {
  const fields = Object.fromEntries(
    recordFields.map((field) => [field, { value: now[field], isKnown: true, change: null }]),
  ) as Record<RecordField, FieldThen>;
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

/** What each field that an event changed was before; undefined where the event does not say. */
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

/** How a connection stood after an event of it; a device that nothing is known of never connected. */
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
