import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiTokenClient } from '../../api-tokens/api-token-client.ts';
import { until } from '../../support/until.ts';
import { openWebhookApi, type WebhookApi } from '../webhook-fixture.ts';
import { InstalledCli, type CliResult } from './installed-cli.ts';

let cli: InstalledCli;
let api: WebhookApi;
let token: string;

beforeAll(async () => {
  [cli, api] = await Promise.all([InstalledCli.install(), openWebhookApi()]);
  const permissions = ['webhooks:manage'];
  ({ token } = await ApiTokenClient.personal(api.portal.url, api.admin, { permissions }));
}, 240_000);
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await cli[Symbol.asyncDispose]();
});

const run = (...args: readonly string[]): Promise<CliResult> =>
  cli.run(['webhooks', ...args], {
    env: { DEVICEPORTAL_URL: api.portal.url, DEVICEPORTAL_TOKEN: token },
  });

test('webhooks are listed, and one is tested by its name', async () => {
  expect(await run()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Inventory .*active/),
  });
  expect(await run('test', 'Inventory')).toMatchObject({
    ...{ code: 0, stdout: expect.stringContaining('accepted the test') },
  });
  api.receiver.answers.status = 500;
  expect(await run('test', api.webhookId)).toMatchObject({
    ...{ code: 6, stdout: expect.stringContaining('500') },
  });
  api.receiver.answers.status = 200;
});

test('a delivery that was given up is found and sent again', async () => {
  const { stdout } = await run('deliveries', 'Inventory', '--failed', '--json');
  const { id } = JSON.parse(stdout) as { id: string };
  expect(await run('resend', id)).toMatchObject({ code: 0 });
  await until(async () => {
    const left = await run('deliveries', 'Inventory', '--failed', '--json');
    return left.code === 0 && left.stdout === '';
  }, 30_000);
  expect(await run('resend', id)).toMatchObject({ code: 5 });
});

test('a missing name, and an unknown one, are errors', async () => {
  expect(await run('deliveries')).toMatchObject({ code: 2 });
  expect(await run('test', 'Nothing')).toMatchObject({ code: 5 });
});
