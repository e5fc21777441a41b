import { expect, test } from 'vitest';
import { findViolations } from '../../support/accessibility.ts';
import { withStalledRollout, withTrends } from '../../support/change-answers.ts';
import { expectInFirstView, laptop } from '../../support/first-view.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { rowOf, searchParam } from '../../support/words.ts';

const testBrowser = openTestBrowser();

test('connectivity, findings, and runs of 30 days are drawn, readable as a table, and lead to their lists', async () => {
  const page = await testBrowser.open('admin', '/', { before: withTrends });
  const card = page.getByRole('main');
  await card.getByRole('heading', { name: 'Last 30 days' }).waitFor();
  await card.getByText('Connected: 61% → 90%').waitFor();
  await card.getByText('With findings: 40% → 11%').waitFor();
  await card.getByText('On devices: 735 succeeded, 30 failed').waitFor();
  await card.getByRole('button', { name: 'Values by day' }).click();
  const rows = card.getByRole('grid', { name: 'Last 30 days' }).getByRole('row');
  await rows.nth(1).waitFor();
  expect(await rows.count()).toBe(31);
  expect(await findViolations(page)).toEqual([]);
  await rowOf(page, '2026-11-18').getByRole('link', { name: '37' }).click();
  await page.waitForURL('**/commands?**');
  expect(searchParam(page, 'ended')).toBe('2026-11-18');
  await page.getByRole('button', { name: 'Ended on 2026-11-18 (UTC)' }).click();
  await page.waitForURL((url) => !url.searchParams.has('ended'));
});

test('what needs the action of the user, before anything else on the home page', async () => {
  const page = await testBrowser.open('admin', '/', {
    viewport: laptop,
    before: async (opened) => {
      await withTrends(opened);
      await withStalledRollout(opened, 'Firmware of the lockers');
    },
  });
  await expectInFirstView(page, page.getByRole('link', { name: 'Firmware of the lockers' }));
  const headings = await page
    .getByRole('main')
    .getByRole('heading', { level: 2 })
    .allTextContents();
  expect(headings[0]).toBe('Needs your action');
});
