import type { AddressInfo } from 'node:net';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { createExampleServer } from '../examples/example-server.ts';
import { launchChromium } from './support/launch-chromium.ts';
import { bundleScript } from './support/bundle-script.ts';

const folder = fileURLToPath(new URL('../examples', import.meta.url));
const pages = (await readdir(folder)).filter((name) => /(?<!index)\.html$/.test(name));
const server = createExampleServer({});
let browser: Browser;
let script: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  script = await bundleScript();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

test.each(pages)('the example %s signs in', async (name) => {
  await using context = await browser.newContext();
  await context.route('**/identity-client.min.js', (route) =>
    route.fulfill({ body: script, contentType: 'text/javascript' }),
  );
  const page = await context.newPage();
  const { port } = server.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/${name}`);
  await page.locator('#go').click();
  const who = page.locator('#who', { hasText: /u-1|access_token/ });
  await who.waitFor({ timeout: 15_000 });
  expect(await who.textContent()).not.toContain('undefined:');
});
