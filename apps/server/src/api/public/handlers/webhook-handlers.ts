import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { WebhookRow } from '@deviceportal/contract/webhooks';
import type { Handlers } from '../operation-call.ts';

export const webhookHandlers: Handlers<
  'listWebhooks' | 'getWebhook' | 'listWebhookDeliveries' | 'testWebhook' | 'resendWebhookDelivery'
> = {
  listWebhooks: async ({ portal }) => ({ items: (await portal.webhooks.list()).map(webhookOf) }),
  getWebhook: async ({ portal, params }) =>
    webhookOf(await portal.webhooks.get({ id: params.webhook })),
  async listWebhookDeliveries({ portal, params }) {
    const { deliveries } = await portal.webhooks.get({ id: params.webhook });
    return { items: [...deliveries] };
  },
  testWebhook: ({ portal, params }) => portal.webhooks.test({ id: params.webhook }),
  async resendWebhookDelivery({ portal, params: { delivery: id } }) {
    await portal.webhooks.retryDelivery({ id });
    return { id, state: 'waiting' };
  },
};

const webhookOf = ({
  isOwn: own,
  eventTypes,
  ...row
}: WebhookRow): OperationOutput<'getWebhook'> => ({
  ...row,
  ...{ own, eventTypes: [...eventTypes] },
});
