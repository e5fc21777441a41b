import type { OperationOutput } from '@deviceportal/contract/public-api';
import { listItems } from '../api/list-items.ts';
import type { TableColumn } from '../output/format-table.ts';
import type { Session } from '../session.ts';

type Alert = OperationOutput<'listAlerts'>['items'][number];

const columns: readonly TableColumn<Alert>[] = [
  { title: 'rule', value: ({ rule }) => rule.name },
  { title: 'severity', value: ({ severity }) => severity },
  { title: 'devices', value: ({ matching, total }) => `${matching} of ${total}` },
  { title: 'peak', value: ({ peak }) => peak },
  { title: 'fired', value: ({ startedAt }) => startedAt },
  { title: 'resolved', value: ({ resolvedAt }) => resolvedAt },
];

export async function listAlerts(
  session: Session,
  { resolved = false, limit }: { readonly resolved?: boolean; readonly limit: number },
): Promise<void> {
  const api = await session.api();
  const state = resolved ? 'resolved' : 'firing';
  const alerts = listItems((page) => api.call('listAlerts', { query: { state, ...page } }), limit);
  await session.printer.list(alerts, columns, resolved ? 'No alerts.' : 'No alert is firing.');
}
