import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import { ApiTokenClient } from '../api-tokens/api-token-client.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { mutate } from '../support/portal-api.ts';
import { until } from '../support/until.ts';
import { openWebhookApi, type WebhookApi } from './webhook-fixture.ts';

type Webhook = OperationOutput<'getWebhook'>;
type Deliveries = OperationOutput<'listWebhookDeliveries'>;

const permissions = ['webhooks:manage'];
let api: WebhookApi;
let client: ApiTokenClient;

beforeAll(async () => {
  api = await openWebhookApi();
  client = await ApiTokenClient.personal(api.portal.url, api.admin, { permissions });
}, 60_000);
afterAll(() => api[Symbol.asyncDispose]());

const deliveries = async (by = client): Promise<Deliveries['items']> =>
  (await by.get<Deliveries>(`/webhooks/${api.webhookId}/deliveries`)).body.items;

test('webhooks are listed without their addresses and secrets', async () => {
  const { status, body } = await client.get<{ items: Webhook[] }>('/webhooks');
  expect(status).toBe(200);
  expect(body.items).toMatchObject([
    { id: api.webhookId, name: 'Inventory', own: true, failed: 1, waiting: 0 },
  ]);
  expect(JSON.stringify(body)).not.toMatch(/whsec_|\/hook/);
  const one = await client.get<Webhook>(`/webhooks/${api.webhookId}`);
  expect(one.body).toEqual(body.items[0]);
});

test('a test is sent, and its result returned', async () => {
  const before = api.receiver.received.length;
  const { status, body } = await client.post(`/webhooks/${api.webhookId}/test`);
  expect({ status, body }).toMatchObject({ status: 200, body: { ok: true, error: null } });
  expect(JSON.parse(api.receiver.received.at(-1)?.body ?? '')).toMatchObject({ type: 'test' });
  expect(api.receiver.received).toHaveLength(before + 1);
});

test('a delivery that was given up is sent again, once', async () => {
  const [failed] = await deliveries();
  expect(failed).toMatchObject({ state: 'failed', status: 400, events: 1, firstSequence: 1 });
  const path = `/webhook-deliveries/${failed?.id}/resend`;
  expect(await client.post(path)).toMatchObject({
    ...{ status: 200, body: { id: failed?.id, state: 'waiting' } },
  });
  await until(async () => (await deliveries())[0]?.state === 'delivered', 20_000);
  expect(api.receiver.received.at(-1)?.headers['webhook-id']).toBe(failed?.id);
  expect(await client.post(path)).toMatchObject({ status: 404, error: { code: 2003 } });
});

test('what a token did is in the audit trail, under its name', async () => {
  const { rows } = await api.admin.read<{ rows: { data: object }[] }>('auditTrail.list', {
    filter: { types: ['webhook.tested', 'webhook.delivery-retried'] },
  });
  expect(rows).toHaveLength(2);
  for (const { data } of rows) expect(data).toMatchObject({ apiTokenId: client.id });
});

test('a token without the permission reads and sends nothing', async () => {
  const viewer = await ApiTokenClient.service(api.portal.url, api.admin, { roles: ['Viewer'] });
  for (const path of ['/webhooks', `/webhooks/${api.webhookId}/deliveries`])
    expect(await viewer.get(path)).toMatchObject({ status: 403, error: { code: 1000 } });
  for (const path of [
    `/webhooks/${api.webhookId}/test`,
    `/webhook-deliveries/${api.webhookId}/resend`,
  ])
    expect(await viewer.post(path)).toMatchObject({ status: 403, error: { code: 1000 } });
});

test.each(['create', 'change', 'rotateSecret', 'pause', 'resume', 'delete'])(
  'a token that may manage webhooks does not %s one',
  async (act) => {
    const url = 'https://example.com/';
    const inputs: Readonly<Record<string, object>> = {
      create: { name: 'More', url, eventTypes: ['case.opened'] },
      change: { id: api.webhookId, name: 'More', url, eventTypes: ['case.opened'] },
    };
    const answer = await mutate(api.portal.url, {
      ...{ path: `webhooks.${act}`, input: inputs[act] ?? { id: api.webhookId } },
      ...{ token: client.token, confirms: false },
    });
    expect(answer).toMatchObject({ status: 403, code: 1000, reason: 'api-token-elsewhere' });
  },
);

test('a token with a limited scope sees no webhook of another user', async () => {
  const scoped = await ApiTokenClient.personal(api.portal.url, api.admin, {
    ...{ permissions, scope: { countries: ['DE'] } },
  });
  // Its own is visible in every scope.
  expect((await scoped.get<{ items: Webhook[] }>('/webhooks')).body.items).toHaveLength(1);
  await api.admin.createRole('German webhooks', [...permissions, 'api-tokens:create'], {
    countries: ['DE'],
  });
  await api.admin.invite('webhooks@example.com', 'German webhooks');
  const user = await AccessFixture.open(api.portal, 'webhooks@example.com');
  const other = await ApiTokenClient.personal(api.portal.url, user, { permissions });
  expect((await other.get<{ items: Webhook[] }>('/webhooks')).body.items).toEqual([]);
  expect(await other.get(`/webhooks/${api.webhookId}`)).toMatchObject({ status: 404 });
  expect(await other.post(`/webhooks/${api.webhookId}/test`)).toMatchObject({ status: 404 });
});

test('a service that sees all webhooks sends nothing by those of users', async () => {
  await api.admin.createRole('All webhooks', permissions);
  const service = await ApiTokenClient.service(api.portal.url, api.admin, {
    roles: ['All webhooks'],
  });
  expect((await service.get<{ items: Webhook[] }>('/webhooks')).body.items).toMatchObject([
    { id: api.webhookId, own: false },
  ]);
  expect(await service.post(`/webhooks/${api.webhookId}/test`)).toMatchObject({
    ...{ status: 404, error: { code: 2003 } },
  });
});
