import { refuse } from '@deviceportal/contract/refuse';
import type {
  DeviceDetail,
  DeviceFilterKey,
  DeviceFilterToken,
  DeviceRow,
} from '@deviceportal/contract/devices';
import type { OperationOutput, OperationQuery } from '@deviceportal/contract/public-api';
import type { Handlers, PortalCaller } from '../operation-call.ts';
import { deviceOf } from '../objects/device-of.ts';
import { invocationOf } from '../objects/invocation-of.ts';

export const deviceHandlers: Handlers<'listDevices' | 'getDevice' | 'listDeviceInvocations'> = {
  async listDevices({ portal, query }) {
    const { sort, descending = true, pageSize, cursor = null, text = '' } = query;
    const page = await portal.devices.list({
      filter: { text, tokens: tokensOf(query) },
      ...{ sort, descending, pageSize, cursor },
    });
    const { nextCursor, complete } = page;
    return { items: page.rows.map(deviceOf), nextCursor, complete };
  },
  async getDevice({ portal, params }) {
    const device = await portal.devices.get({ device: params.device });
    return { ...deviceOf(device), ...detailsOf(device), ...(await expectationOf(portal, device)) };
  },
  async listDeviceInvocations({ portal, params, query: { pageSize, cursor = null } }) {
    const { id: deviceId } = await portal.devices.get({ device: params.device });
    const { rows, nextCursor } = await portal.commands.listInvocations({
      ...{ deviceId, pageSize, cursor },
    });
    return { items: rows.map(invocationOf), nextCursor };
  },
};

const filterKeys = [
  'serialNumber',
  'model',
  'country',
  'connectivity',
  'lifecycle',
  'label',
  'finding',
] as const satisfies readonly DeviceFilterKey[];

function tokensOf(query: OperationQuery<'listDevices'>): DeviceFilterToken[] {
  return filterKeys.flatMap((key) => {
    const values = query[key];
    if (values === undefined || values.length === 0) return [];
    return [{ key, operator: '=', values }];
  });
}

type Details = OperationOutput<'getDevice'>;

function detailsOf(
  device: DeviceDetail,
): Omit<Details, keyof ReturnType<typeof deviceOf> | 'expectedBack'> {
  const { disconnectReason, timeZone, diskUsedPercent, memoryUsedPercent, uptimeSeconds } = device;
  return {
    ...{ disconnectReason, timeZone, diskUsedPercent, memoryUsedPercent, uptimeSeconds },
    problems: device.verdicts.map(({ code, severity, since, facts, suggestedCommand }) => ({
      ...{ code, severity, since: since ?? null, facts: { ...facts }, suggestedCommand },
    })),
    software: device.software.map(({ component, version, tavState, since }) => ({
      ...{ component, version, approval: tavState, since },
    })),
  };
}

/** When an offline device is expected to connect again. */
async function expectationOf(
  portal: PortalCaller,
  { id, connectivity }: DeviceDetail,
): Promise<Pick<Details, 'expectedBack'>> {
  if (connectivity !== 'offline') return { expectedBack: null };
  const [found] = await portal.checkInForecast.list({ deviceIds: [id] });
  return { expectedBack: found ? { by: found.by, share: found.share } : null };
}

const isId = (reference: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(reference);

/**
 * The IDs of devices that a request names by ID or serial number, each once.
 * @throws PortalError 2004 with the names that match no device within the scope of the token
 */
export async function deviceIdsOf(
  portal: PortalCaller,
  references: readonly string[],
): Promise<string[]> {
  const ids = references.filter(isId).map((id) => id.toLowerCase());
  const serialNumbers = references.filter((each) => !isId(each)).map((each) => each.toUpperCase());
  const bySerial = await rowsBySerialNumber(portal, serialNumbers);
  const byId = ids.length === 0 ? [] : await portal.devices.getRows({ ids: [...new Set(ids)] });
  const missing = [
    ...ids.filter((id) => !byId.some((row) => row.id === id)),
    ...serialNumbers.filter((each) => !bySerial.some((row) => row.serialNumber === each)),
  ];
  if (missing.length > 0) {
    throw refuse('devices-not-found', {
      field: 'devices',
      facts: { devices: missing.slice(0, 20).join(', '), count: missing.length },
    });
  }
  return [...new Set([...byId, ...bySerial].map(({ id }) => id))];
}

async function rowsBySerialNumber(
  portal: PortalCaller,
  serialNumbers: readonly string[],
): Promise<readonly DeviceRow[]> {
  if (serialNumbers.length === 0) return [];
  const values = [...new Set(serialNumbers)];
  const filter = { tokens: [{ key: 'serialNumber', operator: '=', values } as const] };
  const { rows } = await portal.devices.list({ filter, sort: 'serialNumber', pageSize: 100 });
  return rows;
}
