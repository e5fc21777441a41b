import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { redactionSchema, type ReportShareLink } from '@deviceportal/contract/reports';
import { createUrlSigner } from '../../../src/platform/files/url-signer.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { endShare, renewShare } from '../../../src/reports/sharing/renew-share.ts';
import { shareReport } from '../../../src/reports/sharing/share-report.ts';
import {
  addSharedReportRoutes,
  signShareUrl,
} from '../../../src/reports/sharing/shared-report-routes.ts';
import { origin, viewerWith } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { createReportFixture, type ReportFixture } from '../../support/report-fixture.ts';

const WEEK = 604_800;
let test: TestDatabase;
let fixture: ReportFixture;
let app: FastifyInstance;
let support: Viewer;
let reportId: string;
let now = new Date();
let link: ReportShareLink;
const caller = () => ({ viewer: support, ...origin });

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createReportFixture(test.database);
  const signer = createUrlSigner(randomBytes(32), () => now);
  Object.assign(fixture.deps, {
    clock: () => now,
    signShareUrl: (id: string, seconds: number) =>
      signShareUrl({ signer, publicUrl: 'http://portal.example' }, id, seconds),
  });
  app = Fastify();
  const { database, userReportFiles } = fixture.deps;
  addSharedReportRoutes(app, { database, userReportFiles, signer, clock: () => now });
  support = viewerWith('Support');
  const maria = await fixture.person('Maria Gómez', [{ serialNumber: 'SNREVIVE1' }]);
  reportId = (await fixture.make(support, { personId: maria.id })).row.id;
});
beforeEach(async () => {
  const redaction = redactionSchema.parse({});
  link = await shareReport(fixture.deps, caller(), { id: reportId, redaction, validSeconds: WEEK });
});
afterAll(async () => {
  await app.close();
  await fixture[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

async function statusOf(url: string): Promise<number> {
  const { pathname, search } = new URL(url);
  const page = await app.inject({ method: 'GET', url: `${pathname}${search}` });
  const pdf = await app.inject({ method: 'GET', url: `${pathname}.pdf${search}` });
  expect(pdf.statusCode).toBe(page.statusCode);
  return page.statusCode;
}

const renew = (shareId: string): Promise<ReportShareLink> =>
  renewShare(fixture.deps, caller(), { shareId, validSeconds: WEEK });

it('an ended link cannot be opened after the share is renewed', async () => {
  await endShare(fixture.deps, caller(), link.id);
  const renewed = await renew(link.id);
  expect(await statusOf(renewed.url)).toBe(200);
  expect(await statusOf(link.url)).toBe(410);
  const again = await renew(link.id);
  expect(new Set([link.id, renewed.id, again.id]).size).toBe(3);
  expect(await statusOf(link.url)).toBe(410);
});

it('a link cannot be opened if its share is ended during a renewal', async () => {
  await Promise.all([endShare(fixture.deps, caller(), link.id), renew(link.id)]);
  expect(await statusOf(link.url)).toBe(410);
});

it('an expired share cannot be extended for its old links', async () => {
  await test.database.orm.execute(
    sql`update report_share set expires_at = ${now.toISOString()}::timestamptz where id = ${link.id}`,
  );
  const renewed = await renew(link.id);
  expect(renewed.id).not.toBe(link.id);
  expect(await statusOf(link.url)).toBe(410);
});

it('a new link for an ended share cannot be created without a record of the replaced one', async () => {
  await endShare(fixture.deps, caller(), link.id);
  const renewed = await renew(link.id);
  const { rows } = await test.database.orm.execute<{ replaces: string; actor: string }>(sql`
    select data->>'replaces' as replaces, actor_name as actor from audit_event
    where type = 'report.shared' and data->>'shareId' = ${renewed.id}`);
  expect(rows).toEqual([{ replaces: link.id, actor: expect.any(String) }]);
});

it('a user who may not view the report cannot get a new link from an ended one', async () => {
  await endShare(fixture.deps, caller(), link.id);
  const stranger = { viewer: viewerWith('Viewer'), ...origin };
  await expect(
    renewShare(fixture.deps, stranger, { shareId: link.id, validSeconds: WEEK }),
  ).rejects.toMatchObject({ code: 2003 });
});
