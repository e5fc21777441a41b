import type { OperationOutput } from '@deviceportal/contract/public-api';
import { listItems } from '../api/list-items.ts';
import type { TableColumn } from '../output/format-table.ts';
import type { Session } from '../session.ts';
import { findDevice } from './devices.ts';

type Event = OperationOutput<'listAuditEvents'>['items'][number];

export interface AuditOptions {
  readonly from?: string;
  readonly to?: string;
  readonly type?: readonly string[];
  readonly device?: string;
  readonly run?: string;
  readonly case?: string;
  readonly text?: string;
  readonly limit: number;
}

const columns: readonly TableColumn<Event>[] = [
  { title: 'time', value: ({ at }) => at },
  { title: 'type', value: ({ type }) => type },
  { title: 'device', value: ({ device }) => device?.serialNumber ?? device?.name ?? device?.id },
  { title: 'actor', value: ({ actor }) => actor.name },
  { title: 'command', value: ({ command }) => command },
];

/** Events of the audit trail, newest first. */
export async function listAuditEvents(
  session: Session,
  { limit, device: named, ...filters }: AuditOptions,
): Promise<void> {
  const api = await session.api();
  const device = named === undefined ? undefined : (await findDevice(api, named)).id;
  const events = listItems(
    (page) => api.call('listAuditEvents', { query: { ...filters, device, ...page } }),
    limit,
  );
  await session.printer.list(events, columns, 'No events match.');
}
