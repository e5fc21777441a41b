import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocument } from '../../src/documents/create-document.ts';
import { approveVersion, rejectVersion } from '../../src/documents/decide-review.ts';
import { sendForReview } from '../../src/documents/send-for-review.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  createCommandFixture,
  origin,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
let fixture: CommandFixture;

beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createCommandFixture(db.database);
});
afterAll(() => db[Symbol.asyncDispose]());

/** A user with an email address and a phone number. */
async function account(email: string, phone: string | null = null): Promise<Viewer> {
  const viewer = { ...viewerWith('Administrator'), username: email, email };
  await db.database.orm.execute(sql`
    insert into portal_user (id, subject, username, email, phone, name)
    values (${viewer.userId}, ${viewer.userId}, ${email}, ${email}, ${phone}, 'Ana')`);
  return viewer;
}

async function inReview(author: Viewer, name: string) {
  const content = `schemaVersion: '2.2'\nmainSteps:\n  - action: aws:runShellScript\n    name: say\n    inputs: { runCommand: ['true'] }\n`;
  const kept = { description: '', secretParameters: [], labels: {}, note: '' };
  await createDocument(fixture.deps, author, {
    ...{ ...kept, name, content, consequence: 'destroys', origin },
  });
  await sendForReview(fixture.deps, author, { name, version: 1, origin });
  return { name, version: 1, comment: 'fine', origin };
}

const own = { code: 1000, reason: 'own-version' };

test('an author cannot approve or reject their own document with a second account with the same email address', async () => {
  const author = await account('ana@example.com');
  const second = await account('Ana+review@example.com');
  const input = await inReview(author, 'acme-by-address');
  const approved = approveVersion(fixture.deps, second, { ...input, makeDefault: true });
  await expect(approved).rejects.toMatchObject(own);
  await expect(rejectVersion(fixture.deps, second, input)).rejects.toMatchObject(own);
});

test('nor with a second account with the same phone number; another user can', async () => {
  const author = await account('bo@example.com', '+49 151 23456789');
  const second = await account('chen@example.com', '0049 15123456789');
  const input = { ...(await inReview(author, 'acme-by-phone')), makeDefault: true };
  await expect(approveVersion(fixture.deps, second, input)).rejects.toMatchObject(own);
  const other = await account('dora@example.com', '+49 151 99999999');
  expect(await approveVersion(fixture.deps, other, input)).toMatchObject({ state: 'active' });
});
