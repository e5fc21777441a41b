import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../support/accessibility.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { choose, heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on this machine. */
const received: Received[] = [];
const answers = { status: 204 };
const receiver = createServer(async (request, response) => {
  received.push({ headers: request.headers, body: await text(request) });
  response.writeHead(answers.status).end();
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, 'localhost', resolve));
  url = `http://localhost:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(() => receiver.close());

const typesOf = ({ body }: Received): string[] => {
  const { type, data } = JSON.parse(body) as {
    readonly type: string;
    readonly data: { readonly events?: readonly { readonly type: string }[] };
  };
  return data.events?.map((event) => event.type) ?? [type];
};

function isSignedBy(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  return headers['webhook-signature'] === `v1,${expected}`;
}

/** Creates a webhook on the open page; shows its details. Returns the secret. */
async function createWebhook(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create webhook' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('textbox', { name: 'Address' }).fill(url);
  await dialog.getByRole('button', { name: /^Event types/ }).click();
  await page.getByRole('option', { name: /device\.changed/ }).click();
  await page.keyboard.press('Tab');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';
  await page.getByRole('button', { name: 'I saved the secret' }).click();
  await heading(page, name).waitFor();
  return secret;
}

/** Changes a label of a device, which is an event. */
async function changeDevice(): Promise<void> {
  const client = await PortalClient.signIn('admin');
  const { rows } = await client.ask<{ rows: readonly { id: string; labels: object }[] }>(
    'devices.list',
    { pageSize: 10 },
  );
  const { id = '', labels = {} } = rows[0] ?? {};
  await client.order('devices.update', { id, labels: { ...labels, hook: `${Date.now()}` } });
}

describe('webhooks', () => {
  test('an administrator creates one, and its receiver gets a signed test and a change', async () => {
    const page = await testBrowser.open('admin', '/uam/webhooks');
    await heading(page, 'Webhooks').waitFor();
    const name = `inventory ${Date.now()}`;
    const secret = await createWebhook(page, name);
    expect(await findViolations(page)).toEqual([]);
    await page.getByText('No deliveries').waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText(/^Test accepted in \d+ ms$/).waitFor();

    answers.status = 410;
    await changeDevice();
    await page.getByText(/Failed \(attempts: 1/).waitFor();
    await page.getByRole('row').getByText('410', { exact: true }).waitFor();
    answers.status = 204;
    await page.getByRole('button', { name: /^Send the delivery from event/ }).click();
    await page.getByRole('row').getByText('Delivered').waitFor();
    await page.getByRole('row').getByText('204', { exact: true }).waitFor();
    expect(received.flatMap(typesOf)).toEqual(['test', 'device.changed', 'device.changed']);
    expect(received.every((each) => isSignedBy(secret, each))).toBe(true);
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await choose(page, 'Actions', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await heading(page, 'Webhooks').waitFor();
    await rowOf(page, name).waitFor({ state: 'detached' });
  });

  test('an internal address is rejected at its field', async () => {
    const page = await testBrowser.open('admin', '/uam/webhooks');
    testBrowser.expectErrors(page, /status of 400|mutation webhooks\.create/);
    await page.getByRole('button', { name: 'Create webhook' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('inside');
    await dialog.getByRole('textbox', { name: 'Address' }).fill('https://127.0.0.1/');
    await dialog.getByRole('button', { name: /^Event types/ }).click();
    await page.getByRole('option', { name: /device\.changed/ }).click();
    await page.keyboard.press('Tab');
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText(/127\.0\.0\.1 is internal/).waitFor();
  });

  test('an operator has no access', async () => {
    const page = await testBrowser.open('operator', '/uam/webhooks');
    await page
      .getByText(/webhooks:manage/)
      .first()
      .waitFor();
  });

  test('texts are in Chinese for a user with that language, also on a phone', async () => {
    const appearance = { theme: 'dark', density: 'comfortable', language: 'zh-CN' } as const;
    const page = await testBrowser.open('admin', '/uam/webhooks', {
      appearance,
      viewport: { width: 390, height: 900 },
    });
    await page.getByRole('button', { name: '创建 Webhook' }).first().waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});
