import type { DeviceRow } from '@deviceportal/contract/devices';
import { holds, reaches, scopesOf } from '@deviceportal/contract/permissions';
import type { ReportDevice } from '@deviceportal/contract/user-report-document';
import { listDevices } from '../../devices/list/list-devices.ts';
import type { ReportCreation } from './report-creation.ts';

const LIMIT = 500;
const PAGE_SIZE = 100;

/** The person's devices within the scope of the permission to create reports. */
export async function readDevices(creation: ReportCreation): Promise<DeviceRow[]> {
  const { deps, viewer, report, gaps, sources } = creation;
  if (!holds(viewer.grants, 'devices:read')) {
    gaps.push({
      code: 'needs-permission',
      facts: { part: 'devices', permission: 'devices:read' },
    });
    return [];
  }
  const rows: DeviceRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listDevices>> = await listDevices(deps, viewer, {
      filter: {
        text: '',
        tokens: [{ key: 'owner', operator: '=', values: [report.personId] }],
        operation: 'and',
        targetListId: null,
      },
      sort: 'lastSeen',
      descending: true,
      pageSize: PAGE_SIZE,
      cursor,
    });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < LIMIT);
  if (cursor !== null) gaps.push({ code: 'too-many', facts: { what: 'devices', limit: LIMIT } });
  const scopes = scopesOf(viewer.grants, ['reports:create']);
  const within = rows.filter((row) => reaches(scopes, row));
  if (scopes.some(({ countries, models }) => countries.length > 0 || models.length > 0)) {
    gaps.push({ code: 'outside-scope', facts: {} });
  }
  sources.push({ name: 'device', rows: within.length });
  return within;
}

export function reportDeviceOf(row: DeviceRow): ReportDevice {
  return {
    id: row.id,
    serialNumber: row.serialNumber,
    name: row.name,
    model: row.model,
    country: row.country,
    lifecycle: row.lifecycle,
    connectivity: row.connectivity,
    connectivitySince: row.connectivitySince,
    lastSeenAt: row.lastSeenAt,
    agentVersion: row.agentVersion,
    platform: row.platform,
    ipAddress: row.ipAddress,
    softwareVersion: row.softwareVersion,
    tavState: row.tavState,
  };
}

/** The name of a device in a report. */
export const deviceName = ({ serialNumber, name }: Pick<DeviceRow, 'serialNumber' | 'name'>) =>
  serialNumber ?? name;
