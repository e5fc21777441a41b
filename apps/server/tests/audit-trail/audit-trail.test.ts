import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  auditFilterSchema,
  type AuditEvent,
  type AuditFilter,
} from '@deviceportal/contract/audit-trail';
import { newId } from '@deviceportal/contract/ids';
import { PortalError } from '@deviceportal/contract/errors';
import type { AuditTrailDeps } from '../../src/audit-trail/audit-trail-deps.ts';
import { exportAuditTrail } from '../../src/audit-trail/export/export-audit-trail.ts';
import { addExportRoutes, signExportUrl } from '../../src/audit-trail/export/export-routes.ts';
import { getAuditFacets } from '../../src/audit-trail/get-audit-facets.ts';
import { listAuditEvents } from '../../src/audit-trail/list-audit-events.ts';
import { recordAudit, systemActor, type AuditDraft } from '../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { createPersonLinks } from '../../src/platform/person-links.ts';
import { createUrlSigner } from '../../src/platform/files/url-signer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { recordAuditAt } from '../support/audit/record-audit-at.ts';
import { onlyHot, testSigner } from '../support/audit/audit-signer.ts';
import { may, origin, seedDevices, viewerHolding, viewerWith } from '../support/command-fixture.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';

let test: TestDatabase;
let deps: AuditTrailDeps;
let exportsDir = '';
let lobby = '';
let tokyo = '';
const auditor = viewerWith('Auditor');
const ana = { kind: 'user', id: newId(), name: 'ana@example.com', address: '192.0.2.1' } as const;
const runId = newId();
const caseId = newId();
const links = createPersonLinks({
  signer: createUrlSigner(Buffer.alloc(32, 1), () => new Date()),
  isHolderIn: async () => true,
  findSigner: () => Promise.reject(new PortalError('notFound')),
});

const minute = (index: number): Date => new Date(Date.UTC(2026, 10, 1, 0, index));

beforeAll(async () => {
  test = await createTestDatabase();
  exportsDir = await mkdtemp(join(tmpdir(), 'exports-'));
  deps = {
    ...onlyHot(test),
    clock: () => new Date(),
    exportFiles: createDirectoryFiles(exportsDir),
    auditSigner: testSigner,
    signExportUrl: (fileName, holder) => signExportUrl(links, fileName, holder),
  };
  [lobby = '', tokyo = ''] = await seedDevices(test.database, [
    { name: 'lobby', country: 'DE' },
    { name: 'tokyo', country: 'JP' },
  ]);
  await test.database.pool.query(
    `insert into portal_user (id, subject, username, name) values ($1::uuid, $1::text, $2, 'Ana')`,
    [ana.id, ana.name],
  );
  const events = Array.from({ length: 60 }, (_, index): AuditDraft & { at: Date } => {
    const at = minute(index);
    if (index % 3 === 0)
      return {
        type: 'command.requested',
        actor: ana,
        deviceId: lobby,
        runId,
        requestId: 'r-1',
        caseId,
        at,
        data: { index, note: '=1+1,"x"' },
      };
    if (index % 3 === 1)
      return {
        type: 'device-event.service-crashed',
        actor: { kind: 'device', id: tokyo, name: 'tokyo', address: null },
        deviceId: tokyo,
        at,
        data: { index },
      };
    return { type: 'document.created', actor: systemActor, at, data: { index } };
  });
  await recordAuditAt(test, events);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(exportsDir, { recursive: true, force: true });
});

const filterOf = (filter: Partial<AuditFilter>): AuditFilter => ({
  ...auditFilterSchema.parse({}),
  ...filter,
});

async function everything(
  filter: Partial<AuditFilter>,
  viewer = auditor,
  pageSize = 7,
): Promise<AuditEvent[]> {
  const seen: AuditEvent[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listAuditEvents>> = await listAuditEvents(deps, viewer, {
      filter: filterOf(filter),
      pageSize,
      cursor,
    });
    seen.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return seen;
}

describe('reading', () => {
  it('[audit-1] pages contain each event once, newest first', async () => {
    const events = await everything({});
    expect(events.map(({ data }) => data['index'])).toEqual(
      Array.from({ length: 60 }, (_, index) => 59 - index),
    );
  });

  it('[audit-2] each filter and each combination finds exactly the matching events', async () => {
    const counts = async (filter: Partial<AuditFilter>) => (await everything(filter)).length;
    expect(await counts({ deviceId: lobby })).toBe(20);
    expect(await counts({ actorId: ana.id })).toBe(20);
    expect(await counts({ actorKind: 'system' })).toBe(20);
    expect(await counts({ types: ['command.*'] })).toBe(20);
    expect(await counts({ types: ['device-event.*', 'document.created'] })).toBe(40);
    expect(await counts({ types: ['command.requested'], deviceId: tokyo })).toBe(0);
    expect(await counts({ requestId: 'r-1', types: ['command.*'] })).toBe(20);
    expect(await counts({ runId })).toBe(20);
    expect(
      await counts({ range: { from: minute(10).toISOString(), to: minute(19).toISOString() } }),
    ).toBe(10);
    expect(await counts({ text: 'CRASHED' })).toBe(20);
    expect(
      await counts({ text: 'ana@', range: { from: minute(30).toISOString(), to: null } }),
    ).toBe(10);
    expect(await counts({ text: '100%' })).toBe(0);
    expect(await counts({ caseId })).toBe(20);
    expect(await counts({ address: ana.address })).toBe(20);
    expect(await counts({ address: '192.0.2.9' })).toBe(0);
    expect(await counts({ result: 'failure' })).toBe(0);
  });

  it('[audit-3] a viewer with a limited scope sees only events of devices in scope', async () => {
    const japan = viewerWith('Auditor', { countries: ['JP'], models: [], labels: {} });
    const events = await everything({}, japan);
    expect(events).toHaveLength(20);
    expect(new Set(events.map(({ deviceName }) => deviceName))).toEqual(new Set(['tokyo']));
    expect((await getAuditFacets(deps, japan, filterOf({}))).types).toEqual([
      'device-event.service-crashed',
    ]);
  });

  it('[audit-4] without people:read, names are masked and not searchable', async () => {
    const viewer = viewerHolding([may(['audit-trail:read'])]);
    const [event] = await everything({ deviceId: lobby }, viewer);
    expect(event?.actor).toMatchObject({ name: 'a•••', address: null });
    expect(await everything({ text: 'ana@' }, viewer)).toEqual([]);
    expect(await everything({ address: ana.address }, viewer)).toEqual([]);
    expect(JSON.stringify(await getAuditFacets(deps, viewer, filterOf({})))).not.toContain('ana@');
  });

  it('[audit-5] facets list the types and actors that occur', async () => {
    const facets = await getAuditFacets(deps, auditor, filterOf({}));
    expect(facets.types).toEqual([
      'command.requested',
      'device-event.service-crashed',
      'document.created',
    ]);
    expect(facets.actors).toContainEqual({ kind: 'user', id: ana.id, name: ana.name });
  });

  it('the data of a run’s events contains the ID of the run', async () => {
    expect((await everything({ runId }))[0]?.data['runId']).toBe(runId);
  });
});

describe('append-only', () => {
  it.each([
    ['update', sql`update audit_event set type = 'x'`],
    ['delete', sql`delete from audit_event`],
    ['truncate', sql`truncate audit_event`],
  ])('%s is rejected', async (_name, statement) => {
    await expect(test.owner.orm.execute(statement)).rejects.toMatchObject({
      cause: { message: 'the audit trail is append-only' },
    });
  });
});

describe('export', () => {
  it('contains exactly the filtered events, has a manifest, and is recorded', async () => {
    const filter = filterOf({ deviceId: lobby, types: ['command.*'] });
    for (const format of ['csv', 'json'] as const) {
      const made = await exportAuditTrail(deps, auditor, { filter, format, origin });
      const file = await readFile(join(exportsDir, made.fileName));
      expect(made).toMatchObject({
        count: 20,
        sha256: createHash('sha256').update(file).digest('hex'),
        createdBy: auditor.username,
      });
      const manifest = JSON.parse(
        await readFile(join(exportsDir, `${made.fileName}.manifest.json`), 'utf8'),
      ) as unknown;
      expect(manifest).toMatchObject({
        filter,
        count: 20,
        sha256: made.sha256,
        exportedBy: { name: auditor.username },
      });
      const rowsInFile =
        format === 'json'
          ? (JSON.parse(file.toString()) as unknown[]).length
          : file.toString().split('\r\n').length - 2;
      expect(rowsInFile).toBe(20);
      const { rows } = await test.database.orm.execute(sql`
        select 1 from audit_event where type = 'audit-trail.exported' and data->>'sha256' = ${made.sha256}`);
      expect(rows).toHaveLength(1);
    }
  });

  it('[audit-9] cells are never formulas', async () => {
    await inTransaction(test.database, (tx) =>
      recordAudit(tx, [
        { type: 'document.created', actor: { ...ana, name: '=cmd()' }, requestId: 'formula' },
      ]),
    );
    const made = await exportAuditTrail(deps, auditor, {
      filter: filterOf({ requestId: 'formula' }),
      format: 'csv',
      origin,
    });
    expect(await readFile(join(exportsDir, made.fileName), 'utf8')).toContain(",'=cmd(),");
  });

  it('the file is available only under its signed link', async () => {
    const app = fastify();
    app.setErrorHandler((error, _request, reply) =>
      reply.code(error instanceof PortalError ? error.httpStatus : 500).send(),
    );
    addExportRoutes(app, { links, exportFiles: deps.exportFiles });
    const made = await exportAuditTrail(deps, auditor, {
      filter: filterOf({ runId }),
      format: 'csv',
      origin,
    });
    const answer = await app.inject(made.downloadUrl);
    expect(createHash('sha256').update(answer.rawPayload).digest('hex')).toBe(made.sha256);
    expect(answer.headers['content-disposition']).toContain('attachment');
    expect((await app.inject(made.manifestUrl)).json()).toMatchObject({ count: 20 });
    expect(
      (await app.inject(made.downloadUrl.replace('signature=', 'signature=x'))).statusCode,
    ).toBe(404);
    expect((await app.inject(made.manifestUrl.replace('.manifest.json', ''))).statusCode).toBe(404);
    await app.close();
  });
});
