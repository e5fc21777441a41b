import type { InvocationRow } from '@deviceportal/contract/invocations';
import type { DeviceRow, FailingPart } from '@deviceportal/contract/devices';
import type { UserReport } from '@deviceportal/contract/reports';

export type ReportFinding =
  | {
      readonly kind: 'device';
      readonly device: DeviceRow;
      readonly failing: readonly FailingPart[];
    }
  | { readonly kind: 'command'; readonly invocation: InvocationRow };

const MOST = 10;

/** What stands out: devices that are not well, then commands that failed, newest first. */
export function reportFindings(report: UserReport): ReportFinding[] {
  const unwell = report.devices
    .filter(
      ({ lifecycle, connectivity }) =>
        lifecycle === 'suspended' || (lifecycle !== 'retired' && connectivity !== 'online'),
    )
    .map((device) => ({ kind: 'device' as const, device, failing: device.failing }));
  const failed = report.invocations
    .filter(isFailed)
    .map((invocation) => ({ kind: 'command' as const, invocation }));
  return [...unwell, ...failed].slice(0, MOST);
}

export const isFailed = ({ state }: InvocationRow): boolean =>
  state === 'Failed' || state === 'TimedOut';
