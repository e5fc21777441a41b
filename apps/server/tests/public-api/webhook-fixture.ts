import type { WebhookSecret } from '@deviceportal/contract/webhooks';
import { startReceiver } from '../alerts/alerts-fixture.ts';
import { seedPerson } from '../cases/case-fixture.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { until } from '../support/until.ts';

/** A server with a webhook of the administrator, whose first delivery was given up. */
export async function openWebhookApi() {
  await using resources = new AsyncDisposableStack();
  const receiver = resources.use(await startReceiver());
  const portal = resources.use(
    await startTestServer([], { DEVICEPORTAL_ALERT_INTERNAL_HOSTS: '127.0.0.1' }),
  );
  const database = resources.use(
    openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 }),
  );
  const admin = await AccessFixture.open(portal, 'admin');
  const { id } = await admin.done<WebhookSecret>('webhooks.create', {
    ...{ name: 'Inventory', url: receiver.url, eventTypes: ['case.opened'] },
  });
  receiver.answers.status = 400;
  const person = await seedPerson(database, 'Webhook');
  await admin.done('cases.open', { personId: person.id });
  await until(async () => {
    const { failed } = await admin.read<{ failed: number }>('webhooks.get', { id });
    return failed === 1;
  }, 30_000);
  receiver.answers.status = 200;
  const owned = resources.move();
  return {
    ...{ portal, admin, receiver, webhookId: id },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export type WebhookApi = Awaited<ReturnType<typeof openWebhookApi>>;
