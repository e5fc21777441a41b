import type { DeviceRow } from '@deviceportal/contract/devices';
import type { OperationOutput } from '@deviceportal/contract/public-api';

/** A device as applications see it. */
export function deviceOf(row: DeviceRow): OperationOutput<'listDevices'>['items'][number] {
  return {
    ...row,
    labels: { ...row.labels },
    findings: row.findings.map(({ rule, severity }) => ({ rule, severity })),
  };
}
