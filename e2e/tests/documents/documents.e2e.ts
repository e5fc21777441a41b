import { beforeAll, describe, expect, test } from 'vitest';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { bodyRows, choose, heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

/** Unique, because the server may contain documents of earlier test runs. */
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
  test('the list is filtered', async () => {
    const page = await testBrowser.open('admin', '/documents');
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

  test('an error in the text is shown at its line, and the document is created after it is corrected', async () => {
    const page = await testBrowser.open('operator', '/documents');
    await page.getByRole('button', { name: 'Create document' }).click();
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
    await page.getByText('Version 1 is a draft').first().waitFor();
    expect(await page.getByRole('button', { name: 'Run…' }).isDisabled()).toBe(true);
  });

  test('leaving a page with unsaved text asks for confirmation', async () => {
    const page = await testBrowser.open('operator', '/documents?create=true');
    const name = page.getByRole('textbox', { name: 'Name' });
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    const leave = (): Promise<void> => page.getByRole('link', { name: 'Commands' }).click();
    await name.fill('half-written');
    await leave();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await name.inputValue()).toBe('half-written');
    await leave();
    await question.getByRole('button', { name: 'Leave page' }).click();
    await page.waitForURL((url) => url.pathname === '/commands');
  });

  test('an invalid file is reported at its line, and a valid one is loaded unchanged', async () => {
    const page = await testBrowser.open('operator', '/documents?create=true');
    const upload = (content: string): Promise<void> =>
      page.locator('input[type="file"]').setInputFiles({
        name: 'uploaded-greeting-v3.yaml',
        mimeType: 'application/yaml',
        buffer: Buffer.from(content),
      });
    await upload(textOf('file').replace('schemaVersion: "2.2"', 'schemaVersion: "2.0"'));
    await page.getByRole('button', { name: 'Line 1, column 16' }).waitFor();
    await upload(textOf('file'));
    await page.getByText(/Valid YAML/).waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(
      'uploaded-greeting',
    );
    expect(await page.getByRole('textbox', { name: 'Document text' }).inputValue()).toBe(
      textOf('file'),
    );
  });

  test('a version is rejected, then approved by another user, and authors cannot approve their own', async () => {
    const author = await testBrowser.open('operator', `/documents/${NAME}`);
    await author.getByRole('button', { name: 'Submit for review' }).click();
    await author.getByText('Version 1 is waiting for review').first().waitFor();
    await author
      .getByText(
        'Requires the permission “Approve documents of other users”. Granted by: Administrator',
      )
      .waitFor();

    const reviewer = await testBrowser.open('admin', '/documents');
    await reviewer.getByRole('checkbox', { name: 'Needs my review' }).check();
    await reviewer.getByRole('link', { name: NAME }).click();
    await reviewer
      .getByRole('region', { name: /Full text/ })
      .getByText('greet')
      .waitFor();
    await reviewer.getByRole('button', { name: 'Reject version' }).click();
    await reviewer.getByText('Describe what the author must change').waitFor();
    await reviewer.getByRole('textbox', { name: 'Comment' }).fill('Another word, please.');
    await reviewer.getByRole('button', { name: 'Reject version' }).click();
    await reviewer.getByText(`Version 1 of ${NAME} was rejected.`).first().waitFor();

    await author.reload();
    await author.getByText('Version 1 was rejected').waitFor();
    await author.getByText('Another word, please.').first().waitFor();
    await choose(author, 'Actions', 'Create new version');
    await author.getByRole('textbox', { name: 'Document text' }).fill(textOf('two'));
    await author.getByRole('button', { name: 'Save as new version' }).click();
    await author.getByText('Version 2 is a draft').waitFor();
    await author.getByRole('button', { name: 'Submit for review' }).click();
    await author.getByText('Version 2 is waiting for review').first().waitFor();

    await reviewer.goto(`/documents/${NAME}?v=2`);
    await reviewer.getByRole('button', { name: 'Approve version' }).click();
    await reviewer.getByText(`Version 2 of ${NAME} is now active.`).first().waitFor();
    await reviewer.goto(`/documents/${NAME}`);
    await reviewer.getByText('Version 2 (default)').first().waitFor();
  });

  test('an administrator cannot approve their own version, and sees who can', async () => {
    const page = await testBrowser.open('admin', `/documents/${NAME}?edit=true&v=2`);
    await page.getByRole('textbox', { name: 'Document text' }).fill(textOf('three'));
    await page.getByRole('radio', { name: 'Changes' }).check();
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await page.getByText('Version 3 is a draft').waitFor();
    await choose(page, 'Actions', 'Submit version 3 for review');
    await page.getByText('You wrote this version. Another user must review it.').waitFor();
    await page.getByText('Another user must do this (Administrator)').waitFor();
    expect(await page.getByRole('button', { name: 'Approve version' }).count()).toBe(0);
    await page.goto(`/documents?waiting=true`);
    await page
      .locator('main table')
      .getByText(/No versions to review|Situation-in-review/)
      .first()
      .waitFor();
    expect(await rowOf(page, NAME).count()).toBe(0);
    await page.goto(`/commands/document?document=${NAME}:3&device=${fleet.real.id}`);
    await page.getByText('This version is in review. It can be run').first().waitFor();
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
    await page.goto(`/documents/${NAME}?v=3`);
    await choose(page, 'Actions', 'Withdraw version 3 from review');
    await page.getByText('Version 3 is a draft').waitFor();
  });

  test('an approved document runs, offers its last values, and is deprecated', async () => {
    const page = await testBrowser.open('operator', `/documents/${NAME}?v=3&tab=versions`);
    await page.getByRole('button', { name: 'Compare 2 with 3' }).click();
    await page.getByText('1 line added, 1 line removed').waitFor();
    const form = `/commands/document?document=${NAME}&device=${fleet.real.id}`;
    await page.goto(form);
    await page.getByRole('textbox', { name: 'word' }).fill('of mine');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page
      .getByRole('region', { name: 'Standard output' })
      .getByText('the word is of mine')
      .waitFor();
    const result = page.url();
    await page.goto(form);
    await page.getByRole('button', { name: /^Use my last values/ }).click();
    expect(await page.getByRole('textbox', { name: 'word' }).inputValue()).toBe('of mine');
    await page.goto(`/documents/${NAME}?tab=permissions`);
    await page.getByText('You can run this document.').waitFor();
    await rowOf(page, 'Support').getByText('commands:run:@reads').waitFor();
    await page.goto(`/documents/${NAME}?tab=usage`);
    await page.getByText('1 run, 1 device').waitFor();
    await choose(page, 'Actions', 'Deprecate document');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(NAME);
    await dialog.getByRole('button', { name: 'Deprecate document' }).click();
    await page.getByText('This document is deprecated').first().waitFor();
    testBrowser.expectErrors(page, /Failed to load resource|mutation /);
    await page.goto(result);
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('This version is deprecated and can no longer be run.').first().waitFor();
  });

  test('suggested next steps run with one press after a command', async () => {
    const page = await testBrowser.open(
      'operator',
      `/commands/storage/usage?device=${fleet.real.id}`,
    );
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('heading', { name: 'Suggested next steps' }).waitFor();
    await page.getByRole('link', { name: 'Run storage/clean' }).click();
    await heading(page, 'storage/clean').waitFor();
    expect(new URL(page.url()).searchParams.get('device')).toBe(fleet.real.id);
  });
});
