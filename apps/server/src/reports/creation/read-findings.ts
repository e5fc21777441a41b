import type { DeviceRow } from '@deviceportal/contract/devices';
import type { ReportCommand, ReportFinding } from '@deviceportal/contract/user-report-document';
import { statusDetails } from '@deviceportal/contract/states';
import { listFindingsOfDevices } from '../../findings/list-findings-of-devices.ts';
import { deviceName } from './read-devices.ts';
import type { ReportCreation } from './report-creation.ts';
import { byReportUrgency } from './report-urgency.ts';

const LIMIT = 200;
const FAILED_SHOWN = 10;

/** Summary: findings in the time range, current state of devices, and failed commands; most severe first. */
export async function readFindings(
  creation: ReportCreation,
  devices: readonly DeviceRow[],
  commands: readonly ReportCommand[],
): Promise<ReportFinding[]> {
  const { deps, viewer, report, sources } = creation;
  const { from, to } = report;
  const found = await listFindingsOfDevices(deps, viewer, {
    ...{ deviceIds: devices.map(({ id }) => id), from, to, limit: LIMIT },
  });
  sources.push({ name: 'finding', rows: found.length });
  const names = new Map(devices.map((device) => [device.id, deviceName(device)]));
  const ofRules = found.map((one): ReportFinding => ({
    code: one.rule,
    severity: one.severity,
    device: names.get(one.deviceId) ?? '-',
    facts: one.facts,
    since: one.openedAt,
    until: one.closedAt,
    deviceId: one.deviceId,
    invocation: null,
  }));
  const silent = new Set(
    found
      .filter(({ rule, closedAt }) => rule === 'unusual-silence' && closedAt === null)
      .map(({ deviceId }) => deviceId),
  );
  return [
    ...ofRules,
    ...devices.flatMap((device) => findingOfState(device, silent.has(device.id))),
    ...commands
      .filter(isFailed)
      .slice(0, FAILED_SHOWN)
      .map((one) => findingOfCommand(one, report)),
  ].toSorted(byReportUrgency);
}

const isFailed = ({ state }: ReportCommand): boolean => state === 'Failed' || state === 'TimedOut';

function findingOfState(device: DeviceRow, isSilent: boolean): ReportFinding[] {
  const { connectivity, lifecycle } = device;
  const one = (code: ReportFinding['code']): ReportFinding[] => [
    {
      code,
      severity: 'warning',
      device: deviceName(device),
      facts: { reason: device.disconnectReason },
      since: device.connectivitySince,
      until: null,
      deviceId: device.id,
      invocation: null,
    },
  ];
  if (lifecycle === 'suspended') return one('suspended');
  if (lifecycle === 'retired' || isSilent) return [];
  if (connectivity === 'never') return one('never-connected');
  return connectivity === 'offline' ? one('offline') : [];
}

function findingOfCommand(
  command: ReportCommand,
  { language }: ReportCreation['report'],
): ReportFinding {
  return {
    code: 'command-failed',
    severity: 'warning',
    device: command.device,
    facts: {
      command: command.command,
      statusDetails: statusDetails[command.statusDetails][language],
      exitCode: command.exitCode,
    },
    since: command.queuedAt,
    until: null,
    deviceId: command.deviceId,
    invocation: { id: command.id, command: command.command },
  };
}
