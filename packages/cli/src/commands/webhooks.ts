import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { ApiClient } from '../api/api-client.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { TableColumn } from '../output/format-table.ts';
import type { Session } from '../session.ts';

export const webhookActions = ['list', 'deliveries', 'test', 'resend'] as const;
type WebhookAction = (typeof webhookActions)[number];
type Webhook = OperationOutput<'getWebhook'>;
type Delivery = OperationOutput<'listWebhookDeliveries'>['items'][number];

const columns: readonly TableColumn<Webhook>[] = [
  { title: 'name', value: ({ name }) => name },
  { title: 'host', value: ({ host }) => host },
  { title: 'owner', value: ({ owner }) => owner },
  { title: 'state', value: ({ pausedBecause }) => pausedBecause ?? 'active' },
  { title: 'waiting', value: ({ waiting }) => waiting },
  { title: 'failed', value: ({ failed }) => failed },
  { title: 'last delivered', value: ({ lastDeliveredAt }) => lastDeliveredAt },
  { title: 'id', value: ({ id }) => id },
];

const deliveryColumns: readonly TableColumn<Delivery>[] = [
  { title: 'created', value: ({ createdAt }) => createdAt },
  { title: 'state', value: ({ state }) => state },
  { title: 'events', value: ({ events }) => events },
  { title: 'from', value: ({ firstSequence }) => firstSequence },
  { title: 'attempts', value: ({ attempts }) => attempts },
  { title: 'status', value: ({ status }) => status },
  { title: 'error', value: ({ lastError }) => lastError },
  { title: 'id', value: ({ id }) => id },
];

/** Lists webhooks or the deliveries of one, tests one, or sends a failed delivery again. */
export async function useWebhooks(
  session: Session,
  action: WebhookAction,
  named: string | undefined,
  { failed = false }: { readonly failed?: boolean },
): Promise<ExitCode | void> {
  const api = await session.api();
  if (action === 'list') {
    const { items } = await api.call('listWebhooks', {});
    return session.printer.list(items, columns, 'No webhooks.');
  }
  if (named === undefined)
    throw new CliError(
      action === 'resend'
        ? 'The ID of the delivery is missing.'
        : 'The ID or name of the webhook is missing.',
      { exitCode: exitCodes.usage },
    );
  if (action === 'resend') {
    const resent = await api.call('resendWebhookDelivery', { params: { delivery: named } });
    if (session.printer.isJson) session.printer.json(resent);
    else session.printer.line('The delivery is sent again.');
    return;
  }
  const webhook = await findWebhook(api, named);
  return action === 'test'
    ? test(session, api, webhook)
    : listDeliveries(session, api, { webhook, failed });
}

async function listDeliveries(
  { printer }: Session,
  api: ApiClient,
  { webhook, failed }: { readonly webhook: string; readonly failed: boolean },
): Promise<void> {
  const { items } = await api.call('listWebhookDeliveries', { params: { webhook } });
  const shown = failed ? items.filter(({ state }) => state === 'failed') : items;
  await printer.list(
    shown,
    deliveryColumns,
    failed ? 'No delivery was given up.' : 'No deliveries.',
  );
}

async function test(
  { printer }: Session,
  api: ApiClient,
  webhook: string,
): Promise<ExitCode | void> {
  const result = await api.call('testWebhook', { params: { webhook } });
  if (printer.isJson) printer.json(result);
  else
    printer.line(
      result.ok
        ? `The receiver accepted the test in ${Math.round(result.durationMs)} ms.`
        : `The test failed: ${result.error}.`,
    );
  if (!result.ok) return exitCodes.rejected;
}

/** @throws CliError if there is none, or several have this name */
async function findWebhook(api: ApiClient, named: string): Promise<string> {
  const { items } = await api.call('listWebhooks', {});
  const byId = items.find(({ id }) => id === named);
  const found = byId === undefined ? items.filter(({ name }) => name === named) : [byId];
  const [webhook, second] = found;
  if (webhook === undefined)
    throw new CliError(`There is no webhook ${named}.`, { exitCode: exitCodes.notFound });
  if (second !== undefined)
    throw new CliError(`Several webhooks have the name ${named}. Use an ID.`, {
      exitCode: exitCodes.usage,
    });
  return webhook.id;
}
