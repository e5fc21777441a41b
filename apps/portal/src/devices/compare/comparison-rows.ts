import type { DeviceDetail } from '@deviceportal/contract/devices';

/** A row of the comparison: the values of the devices, and whether they are equal. */
export interface ComparisonRow {
  readonly id: string;
  readonly group: 'identity' | 'connection' | 'software';
  /** In the order of the devices. Null if a device has no value. */
  readonly values: readonly (string | number | null)[];
  readonly differs: boolean;
}

type Fact = readonly [
  id: string,
  group: ComparisonRow['group'],
  read: (device: DeviceDetail) => string | number | null,
];

const facts: readonly Fact[] = [
  ['name', 'identity', (device) => device.name],
  ['owner', 'identity', (device) => device.owner?.name ?? null],
  ['model', 'identity', (device) => device.model],
  ['hardwareRevision', 'identity', (device) => device.hardwareRevision],
  ['country', 'identity', (device) => device.country],
  ['labels', 'identity', (device) => labelsText(device.labels)],
  ['lifecycle', 'identity', (device) => device.lifecycle],
  ['connectivity', 'connection', (device) => device.connectivity],
  ['verdict', 'connection', (device) => device.verdicts[0]?.code ?? null],
  ['lastSeen', 'connection', (device) => device.lastSeenAt],
  ['ipAddress', 'connection', (device) => device.ipAddress],
  ['uptime', 'connection', (device) => device.uptimeSeconds],
  ['disk', 'connection', (device) => device.diskUsedPercent],
  ['memory', 'connection', (device) => device.memoryUsedPercent],
  ['softwareVersion', 'software', (device) => device.softwareVersion],
  ['agentVersion', 'software', (device) => device.agentVersion],
  ['platform', 'software', (device) => device.platform],
];

/** Attributes that differ between any two devices, so that a difference has no meaning. */
const ALWAYS_DIFFERENT: ReadonlySet<string> = new Set(['name', 'lastSeen', 'ipAddress', 'uptime']);

/** Attributes of several devices side by side, with software components last. */
export function comparisonRows(devices: readonly DeviceDetail[]): readonly ComparisonRow[] {
  const components = new Set(
    devices.flatMap(({ software }) => software.map(({ component }) => component)),
  );
  return [
    ...facts.map(([id, group, read]) => toRow(id, group, devices.map(read))),
    ...[...components].toSorted().map((component) =>
      toRow(
        `component:${component}`,
        'software',
        devices.map(
          ({ software }) => software.find((each) => each.component === component)?.version ?? null,
        ),
      ),
    ),
  ];
}

function toRow(
  id: string,
  group: ComparisonRow['group'],
  values: ComparisonRow['values'],
): ComparisonRow {
  return { id, group, values, differs: !ALWAYS_DIFFERENT.has(id) && new Set(values).size > 1 };
}

function labelsText(labels: DeviceDetail['labels']): string | null {
  const texts = Object.entries(labels).map(([key, value]) =>
    value === '' ? key : `${key}: ${value}`,
  );
  return texts.length === 0 ? null : texts.toSorted().join(', ');
}
