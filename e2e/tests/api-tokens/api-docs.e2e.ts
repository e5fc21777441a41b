import { expect, test } from 'vitest';
import { openTestBrowser } from '../../support/test-browser.ts';

const testBrowser = openTestBrowser();

test('the reference of the API lists its operations, without a request to another host', async () => {
  const page = await testBrowser.openSignedOut('/api/docs');
  await page.getByText('/devices/{device}', { exact: true }).waitFor();
  await page.getByText('Run a command on devices').click();
  await page.getByText('Idempotency-Key').first().waitFor();
  const hosts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ protocol }) => protocol.startsWith('http'))
      .map(({ host }) => host),
  );
  expect(new Set(hosts)).toEqual(new Set([new URL(page.url()).host]));
});
