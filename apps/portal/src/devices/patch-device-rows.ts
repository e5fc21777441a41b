import type { LiveChange } from '@deviceportal/contract/live-channel';
import type { DeviceRow } from '@deviceportal/contract/devices';

export type DeviceStatusChange = Extract<LiveChange, { kind: 'device-status' }>;

/** The parts of a row that change live. */
export type DeviceStatusFacts = Pick<
  DeviceRow,
  'lifecycle' | 'connectivity' | 'connectivitySince' | 'lastSeenAt' | 'disconnectReason' | 'failing'
>;

/** A device with a changed status. The same object if the change is older than its status. */
export function patchDeviceStatus<Device extends DeviceRow>(
  device: Device,
  change: DeviceStatusChange,
): Device {
  if (device.id !== change.id || isOlder(change.lastSeenAt, device.lastSeenAt)) return device;
  const { connectivity, connectivitySince, lastSeenAt, disconnectReason, failing } = change;
  return { ...device, connectivity, connectivitySince, lastSeenAt, disconnectReason, failing };
}

function isOlder(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && Date.parse(one) < Date.parse(other);
}

/** A page with one device changed in place. */
export function patchDevicePage<Page extends { readonly rows: readonly DeviceRow[] }>(
  page: Page,
  id: string,
  patch: (row: DeviceRow) => DeviceRow,
): Page {
  const index = page.rows.findIndex((row) => row.id === id);
  const row = page.rows[index];
  if (row === undefined) return page;
  const next = patch(row);
  return next === row ? page : { ...page, rows: page.rows.with(index, next) };
}

const STATUS_FACTS: ReadonlySet<string> = new Set([
  'connectivity',
  'connectivitySince',
  'lastSeenAt',
  'disconnectReason',
  'failing',
]);

/** Whether two lists are equal apart from the fields that the status cells subscribe to. */
export function sameApartFromStatus(
  one: readonly DeviceRow[],
  other: readonly DeviceRow[],
): boolean {
  if (one === other) return true;
  return (
    one.length === other.length &&
    one.every((row, index) => {
      const counterpart = other[index];
      return row === counterpart || (counterpart !== undefined && sameRow(row, counterpart));
    })
  );
}

function sameRow(one: DeviceRow, other: DeviceRow): boolean {
  return Object.keys(one).every((name) => {
    if (STATUS_FACTS.has(name)) return true;
    const key = name as keyof DeviceRow;
    return one[key] === other[key] || JSON.stringify(one[key]) === JSON.stringify(other[key]);
  });
}
