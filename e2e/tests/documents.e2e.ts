import { beforeAll, describe, expect, test } from 'vitest';
import { readFleet, type Fleet } from '../support/fleet.ts';
import { PortalClient } from '../support/portal-client.ts';
import { openStage } from '../support/stage.ts';
import { bodyRows, choose, heading, rowOf } from '../support/words.ts';

const stage = openStage();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

/** Another one each time: a server that tests ran on before has the older ones. */
const NAME = `Kiosk-greeting-${Date.now()}`;
const textOf = (word: string): string => `schemaVersion: "2.2"
description: Says a word.
parameters:
  word:
    type: String
    default: ${word}
mainSteps:
  - action: aws:runShellScript
    name: greet
    inputs:
      runCommand:
        - 'echo "the word is {{ word }}"'
`;

describe('documents', () => {
  test('[e2e-documents-1] the list narrows to what is looked for', async () => {
    const page = await stage.open('admin', '/documents');
    await bodyRows(page).first().waitFor();
    const all = await bodyRows(page).count();
    const field = page.getByRole('combobox', { name: 'Find documents' });
    await field.fill('storage-usage');
    await field.press('Enter');
    await page.waitForURL((url) => url.searchParams.has('q'));
    await rowOf(page, 'DevicePortal-storage-usage').waitFor();
    await rowOf(page, 'DevicePortal-shell').waitFor({ state: 'detached' });
    expect(await bodyRows(page).count()).toBeLessThan(all);
  });

  test('[e2e-documents-2] a mistake in the text is shown at its line; corrected, the document is created', async () => {
    const page = await stage.open('admin', '/documents');
    await page.getByRole('button', { name: 'New document' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(NAME);
    const editor = page.getByRole('textbox', { name: 'Document text' });
    await editor.fill(textOf('one').replace('    name: greet', '    name: [greet'));
    const place = page.getByRole('button', { name: /^Line \d+, column \d+$/ }).first();
    await place.waitFor();
    expect(await page.getByRole('button', { name: 'Create document' }).isDisabled()).toBe(true);
    await place.click();
    expect(await editor.evaluate((area) => area === document.activeElement)).toBe(true);
    await editor.fill(textOf('one'));
    await page.getByText(/Valid YAML/).waitFor();
    await page.getByRole('button', { name: 'Create document' }).click();
    await heading(page, NAME).waitFor();
    await page.getByText('Draft').first().waitFor();
  });

  test('[e2e-documents-3] a new version shows what changed, becomes the default, runs, and is deprecated', async () => {
    const page = await stage.open('admin', `/documents/${NAME}`);
    await heading(page, NAME).waitFor();
    await choose(page, 'Actions', 'Activate');
    await page.getByText(`${NAME} is active.`).first().waitFor();
    await choose(page, 'Actions', 'Edit as a new version');
    await page.getByRole('textbox', { name: 'Document text' }).fill(textOf('two'));
    await page.getByRole('checkbox', { name: 'Make it the default version' }).uncheck();
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await page.getByText('Saved as version 2').first().waitFor();
    await page.goto(`/documents/${NAME}?v=2&tab=versions`);
    await page.getByRole('button', { name: 'Compare 1 with 2' }).click();
    await page.getByText('1 line added, 1 line removed').waitFor();
    await page.goto(`/documents/${NAME}?v=2`);
    await choose(page, 'Actions', 'Make version 2 the default');
    await page.getByText('The default version was changed.').first().waitFor();
    await page.goto(`/commands/document?document=${NAME}&device=${fleet.real.id}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page
      .getByRole('region', { name: 'Standard output' })
      .getByText('the word is two')
      .waitFor();
    await page.goto(`/documents/${NAME}`);
    await choose(page, 'Actions', 'Deprecate');
    const dialog = page.getByRole('dialog');
    if (await dialog.getByRole('textbox').isVisible()) await dialog.getByRole('textbox').fill(NAME);
    await dialog.getByRole('button', { name: 'Deprecate' }).click();
    await page.getByText('This document is deprecated').first().waitFor();
  });
});
