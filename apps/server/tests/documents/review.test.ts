import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentDetail } from '@deviceportal/contract/documents';
import { listDocumentsInput } from '@deviceportal/contract/documents';
import { runCommand } from '../../src/commands/run-command.ts';
import { addDocumentVersion } from '../../src/documents/add-document-version.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import { approveVersion, rejectVersion } from '../../src/documents/decide-review.ts';
import { deprecateDocument } from '../../src/documents/deprecate-document.ts';
import { getDocument } from '../../src/documents/get-document.ts';
import { listDocuments } from '../../src/documents/list-documents.ts';
import { sendForReview } from '../../src/documents/send-for-review.ts';
import { setDefaultVersion } from '../../src/documents/set-default-version.ts';
import { withdrawFromReview } from '../../src/documents/withdraw-from-review.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  createCommandFixture,
  origin,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { publishVersion } from '../support/publish-document.ts';

let test: TestDatabase;
let fixture: CommandFixture;
let deviceId = '';
const author = { ...viewerWith('Administrator'), username: 'author@example.com' };
const reviewer = { ...viewerWith('Administrator'), username: 'reviewer@example.com' };

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  [deviceId = ''] = await seedDevices(test.database, [{}]);
});
afterAll(() => test[Symbol.asyncDispose]());

const text = (said: string): string =>
  `schemaVersion: '2.2'\nparameters:\n  pin: { type: String, default: '' }\nmainSteps:\n  - action: aws:runShellScript\n    name: say\n    inputs: { runCommand: ['echo ${said}'] }\n`;

function create(name: string): Promise<DocumentDetail> {
  return createDocument(fixture.deps, author, {
    name,
    description: '',
    consequence: 'reads',
    secretParameters: [],
    labels: {},
    content: text('one'),
    note: '',
    origin,
  });
}

const edit = (
  name: string,
  basedOn: number,
  more: Partial<Parameters<typeof addDocumentVersion>[2]> = {},
) =>
  addDocumentVersion(fixture.deps, author, {
    name,
    basedOn,
    content: text(`version ${basedOn + 1}`),
    note: '',
    origin,
    ...more,
  });
const send = (name: string, version: number) =>
  sendForReview(fixture.deps, author, { name, version, origin });
const approve = (viewer: Viewer, name: string, version: number) =>
  approveVersion(fixture.deps, viewer, { name, version, makeDefault: true, comment: '', origin });
const reject = (viewer: Viewer, name: string, version: number, comment: string) =>
  rejectVersion(fixture.deps, viewer, { name, version, comment, origin });
const run = (document: string) =>
  runCommand(
    fixture.deps,
    author,
    runInput({ command: 'document', document, target: { kind: 'devices', deviceIds: [deviceId] } }),
  );

describe('review by a second person', () => {
  it('[review-1] users cannot approve or reject their own version, whatever their permissions', async () => {
    await create('acme-own');
    await send('acme-own', 1);
    const refusal = {
      code: 1000,
      reason: 'own-version',
      facts: { permission: 'documents:approve' },
      message: expect.stringContaining('Administrator') as string,
    };
    await expect(approve(author, 'acme-own', 1)).rejects.toMatchObject(refusal);
    await expect(reject(author, 'acme-own', 1, 'no')).rejects.toMatchObject(refusal);
    expect(await approve(reviewer, 'acme-own', 1)).toMatchObject({
      state: 'active',
      defaultVersion: 1,
      versions: [
        {
          own: false,
          submittedBy: author.username,
          review: { by: reviewer.username, comment: '' },
        },
      ],
    });
  });

  it('the database rejects an approval by the author for every writer', async () => {
    await create('acme-database');
    const forged = test.database.orm.execute(sql`
      update document_version set state = 'active', review_decision = 'approved', reviewed_by_id = created_by_id
      where document_name = 'acme-database'`);
    await expect(forged).rejects.toMatchObject({
      cause: { constraint: 'document_version_second_person' },
    });
  });

  it('only a version in review can be decided', async () => {
    await create('acme-decided');
    await expect(approve(reviewer, 'acme-decided', 1)).rejects.toMatchObject({
      code: 2004,
      facts: { state: 'draft' },
    });
    await send('acme-decided', 1);
    await withdrawFromReview(fixture.deps, author, { name: 'acme-decided', version: 1, origin });
    await expect(approve(reviewer, 'acme-decided', 1)).rejects.toMatchObject({ code: 2004 });
    await expect(approve(reviewer, 'acme-decided', 7)).rejects.toMatchObject({ code: 2003 });
  });

  it('a rejected version has a reason and can be submitted again', async () => {
    await create('acme-rejected');
    await send('acme-rejected', 1);
    const rejected = await reject(reviewer, 'acme-rejected', 1, 'Say why.');
    expect(rejected).toMatchObject({
      state: 'draft',
      defaultVersion: null,
      versions: [{ state: 'draft', review: { decision: 'rejected', comment: 'Say why.' } }],
    });
    await send('acme-rejected', 1);
    expect(await approve(reviewer, 'acme-rejected', 1)).toMatchObject({ state: 'active' });
  });
});

describe('concurrent reviews', () => {
  it('of two concurrent approvals one decides, and the other is told that the version is active', async () => {
    await create('acme-two');
    await send('acme-two', 1);
    const others = [reviewer, viewerWith('Administrator'), viewerWith('Administrator')];
    const results = await Promise.allSettled(others.map((one) => approve(one, 'acme-two', 1)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 2004 });
    }
    const { rows } = await test.database.orm.execute(sql`
      select 1 from audit_event where type = 'document.approved' and data->>'document' = 'acme-two'`);
    expect(rows).toHaveLength(1);
  });

  it('of a concurrent approval and rejection, one decides', async () => {
    await create('acme-both');
    await send('acme-both', 1);
    const results = await Promise.allSettled([
      approve(reviewer, 'acme-both', 1),
      reject(viewerWith('Administrator'), 'acme-both', 1, 'no'),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('an edit withdraws the version in review, so the latest is approved', async () => {
    await create('acme-edited');
    await send('acme-edited', 1);
    expect(await edit('acme-edited', 1)).toMatchObject({
      state: 'draft',
      versionInReview: null,
      versions: [{ state: 'draft' }, { state: 'draft' }],
    });
    await expect(approve(reviewer, 'acme-edited', 1)).rejects.toMatchObject({ code: 2004 });
  });

  it('a concurrent edit and approval result in an approved version or an edited one, not in neither', async () => {
    await create('acme-crossing');
    await send('acme-crossing', 1);
    const [approval] = await Promise.allSettled([
      approve(reviewer, 'acme-crossing', 1),
      edit('acme-crossing', 1),
    ]);
    const { state, versions } = await getDocument(fixture.deps, author, 'acme-crossing');
    expect(versions).toHaveLength(2);
    expect(versions[1]?.state).toBe(approval.status === 'fulfilled' ? 'active' : 'draft');
    expect(state).toBe(approval.status === 'fulfilled' ? 'active' : 'draft');
  });

  it('only one version of a document is in review at a time', async () => {
    await create('acme-single');
    await edit('acme-single', 1);
    const results = await Promise.allSettled([send('acme-single', 1), send('acme-single', 2)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('a run does not start after a concurrent deprecation', async () => {
    await create('acme-late');
    await publishVersion(fixture.deps, author, { name: 'acme-late', version: 1 });
    const [, ran] = await Promise.allSettled([
      deprecateDocument(fixture.deps, author, { name: 'acme-late', version: null, origin }),
      run('acme-late'),
    ]);
    if (ran.status === 'rejected') expect(ran.reason).toMatchObject({ code: 2004 });
    await expect(run('acme-late')).rejects.toMatchObject({ facts: { state: 'deprecated' } });
  });
});

describe('reviewed versions', () => {
  it('a pinned draft or a version in review cannot be run, an approved one can', async () => {
    await create('acme-pinned');
    await publishVersion(fixture.deps, author, { name: 'acme-pinned', version: 1 });
    await edit('acme-pinned', 1);
    await expect(run('acme-pinned:2')).rejects.toMatchObject({
      code: 2004,
      facts: { version: 2, state: 'draft', approverRoles: 'Administrator' },
    });
    await send('acme-pinned', 2);
    await expect(run('acme-pinned:2')).rejects.toMatchObject({ facts: { state: 'review' } });
    expect(await run('acme-pinned')).toMatchObject({ documentVersion: 1 });
    await approve(reviewer, 'acme-pinned', 2);
    expect(await run('acme-pinned')).toMatchObject({ documentVersion: 2 });
    expect(await run('acme-pinned:1')).toMatchObject({ documentVersion: 1 });
    await deprecateDocument(fixture.deps, author, { name: 'acme-pinned', version: 1, origin });
    await expect(run('acme-pinned:1')).rejects.toMatchObject({ code: 2004 });
  });

  it('an unreviewed version cannot become the default', async () => {
    await create('acme-default');
    for (const state of ['draft', 'review']) {
      if (state === 'review') await send('acme-default', 1);
      await expect(
        setDefaultVersion(fixture.deps, author, { name: 'acme-default', version: 1, origin }),
      ).rejects.toMatchObject({ code: 2004, facts: { state } });
    }
  });

  it('consequence and secrets are part of the review', async () => {
    await create('acme-reach');
    await publishVersion(fixture.deps, author, { name: 'acme-reach', version: 1 });
    const edited = await edit('acme-reach', 1, {
      content: text('one'),
      consequence: 'destroys',
      secretParameters: ['pin'],
    });
    expect(edited).toMatchObject({
      consequence: 'reads',
      versions: [{ consequence: 'destroys', secretParameters: ['pin'] }, { consequence: 'reads' }],
    });
    await expect(edit('acme-reach', 2, { secretParameters: ['nothing'] })).rejects.toMatchObject({
      code: 2004,
      issues: [{ path: ['secretParameters', 0] }],
    });
    await publishVersion(fixture.deps, author, { name: 'acme-reach', version: 2 });
    await expect(run('acme-reach')).rejects.toMatchObject({
      issues: [{ path: ['confirmation'] }],
    });
  });
});

describe('versions waiting for review', () => {
  const waitingFor = async (viewer: Viewer): Promise<string[]> => {
    const input = listDocumentsInput.parse({ waitingForMe: true, text: 'acme-waits' });
    return (await listDocuments(fixture.deps, viewer, input)).rows.map(({ name }) => name);
  };

  it('are listed for users who can approve and did not write them', async () => {
    await create('acme-waits');
    expect(await waitingFor(reviewer)).toEqual([]);
    await send('acme-waits', 1);
    expect(await waitingFor(reviewer)).toEqual(['acme-waits']);
    expect(await waitingFor(author)).toEqual([]);
    expect(await waitingFor(viewerWith('Operator'))).toEqual([]);
    const inReview = listDocumentsInput.parse({ states: ['review'], text: 'acme-waits' });
    expect((await listDocuments(fixture.deps, author, inReview)).rows).toMatchObject([
      { versionInReview: 1, state: 'review', defaultVersion: null },
    ]);
  });
});
