import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { ApiClient } from '../api/api-client.ts';
import { listItems } from '../api/list-items.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TableColumn } from '../output/format-table.ts';
import { stateLabel } from '../output/state-label.ts';
import type { Session } from '../session.ts';
import { invocationColumns } from './invocation-columns.ts';

type Device = OperationOutput<'listDevices'>['items'][number];
type DeviceDetail = OperationOutput<'getDevice'>;

export interface DeviceFilters {
  readonly text?: string;
  readonly serialNumber?: readonly string[];
  readonly model?: readonly string[];
  readonly country?: readonly string[];
  readonly connectivity?: readonly string[];
  readonly lifecycle?: readonly string[];
  readonly label?: readonly string[];
  readonly finding?: readonly string[];
  readonly sort?: string;
  readonly ascending?: boolean;
  readonly limit: number;
}

const columns: readonly TableColumn<Device>[] = [
  { title: 'serial number', value: ({ serialNumber }) => serialNumber },
  { title: 'name', value: ({ name }) => name },
  { title: 'model', value: ({ model }) => model },
  { title: 'country', value: ({ country }) => country },
  { title: 'connectivity', value: (device) => stateLabel(device.connectivity) },
  { title: 'last seen', value: ({ lastSeenAt }) => lastSeenAt },
  { title: 'owner', value: ({ owner }) => owner?.name },
  { title: 'findings', value: ({ findings }) => findings.map(({ rule }) => rule).join(', ') },
];

export async function listDevices(
  session: Session,
  { limit, ascending = false, ...filters }: DeviceFilters,
): Promise<void> {
  const api = await session.api();
  const devices = listItems(
    (page) => api.call('listDevices', { query: { ...filters, ...page, descending: !ascending } }),
    limit,
  );
  await session.printer.list(devices, columns, 'No devices match.');
}

/**
 * A device by its ID, serial number, or exact name.
 * @throws CliError if there is none, or several have this name
 */
export async function findDevice(api: ApiClient, named: string): Promise<DeviceDetail> {
  const found = await api
    .call('getDevice', { params: { device: named } })
    .catch((error: unknown) => {
      if (error instanceof CliError && error.exitCode === exitCodes.notFound) return error;
      throw error;
    });
  if (!(found instanceof CliError)) return found;
  const wanted = named.normalize().toLowerCase();
  const alike: Device[] = [];
  const hits = listItems(
    (page) => api.call('listDevices', { query: { text: named, ...page } }),
    500,
  );
  for await (const device of hits) {
    if (device.name.normalize().toLowerCase() === wanted) alike.push(device);
  }
  const [only, ...others] = alike;
  if (only === undefined) throw found;
  if (others.length === 0) return api.call('getDevice', { params: { device: only.id } });
  const serials = alike.map(({ id, serialNumber }) => serialNumber ?? id).join(', ');
  throw new CliError(`Several devices are named ${named}: ${serials}`, {
    exitCode: exitCodes.rejected,
  });
}

export async function showDevice(session: Session, named: string): Promise<void> {
  const { printer } = session;
  const device = await findDevice(await session.api(), named);
  if (printer.isJson) {
    printer.json(device);
    return;
  }
  printer.facts({
    'Serial number': device.serialNumber,
    Name: device.name,
    ID: device.id,
    Model: device.model,
    Country: device.country,
    Owner: device.owner?.name,
    Lifecycle: stateLabel(device.lifecycle),
    Connectivity: stateLabel(device.connectivity),
    'Last seen': device.lastSeenAt,
    'Expected back': device.expectedBack?.by,
    Platform: device.platform,
    Agent: device.agentVersion,
    Software: device.softwareVersion,
    'IP address': device.ipAddress,
    Labels: Object.entries(device.labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(', '),
  });
  if (device.problems.length === 0) return;
  printer.line('');
  await printer.list(
    device.problems,
    [
      { title: 'problem', value: ({ code }) => code },
      { title: 'severity', value: ({ severity }) => severity },
      { title: 'since', value: ({ since }) => since },
      { title: 'suggested command', value: ({ suggestedCommand }) => suggestedCommand },
    ],
    '',
  );
}

export async function listHistory(
  session: Session,
  named: string,
  { limit }: { readonly limit: number },
): Promise<void> {
  const api = await session.api();
  const { id } = await findDevice(api, named);
  const invocations = listItems(
    (page) => api.call('listDeviceInvocations', { params: { device: id }, query: page }),
    limit,
  );
  await session.printer.list(
    invocations,
    invocationColumns,
    'No commands were run on this device.',
  );
}
