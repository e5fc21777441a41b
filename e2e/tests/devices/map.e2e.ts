import { describe, expect, test } from 'vitest';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading } from '../../support/words.ts';

const testBrowser = openTestBrowser();

describe('the map', () => {
  test('a link to an area shows the area, and “Back” returns to the same view', async () => {
    const page = await testBrowser.open('admin', '/map?bbox=5,44,25,56');
    const main = page.getByRole('main');
    await main.locator('canvas').waitFor();
    await page.waitForURL(/[?&]map=5\d/);
    const shown = page.url();
    expect(shown).not.toContain('bbox');
    await main.locator('table a[href^="/devices"]').first().click();
    await heading(page, /./).waitFor();
    await page.waitForURL(/\/devices/);
    await page.goBack();
    await main.locator('canvas').waitFor();
    expect(page.url()).toBe(shown);
    // The view stays: the map did not start again at another position.
    await main.locator('table a[href^="/devices"]').first().waitFor();
    expect(page.url()).toBe(shown);
  });
});
