import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PortalError } from '@deviceportal/contract/errors';
import { redactionSchema } from '@deviceportal/contract/reports';
import { createUrlSigner } from '../../../src/platform/files/url-signer.ts';
import { shareReport } from '../../../src/reports/sharing/share-report.ts';
import { OPENINGS_QUOTA } from '../../../src/reports/sharing/open-share.ts';
import {
  addSharedReportRoutes,
  signShareUrl,
} from '../../../src/reports/sharing/shared-report-routes.ts';
import { origin, viewerWith } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { rowsOf } from '../../support/gateway-fixture.ts';
import { createReportFixture, type ReportFixture } from '../../support/report-fixture.ts';

let db: TestDatabase;
let fixture: ReportFixture;
let app: FastifyInstance;

beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createReportFixture(db.database);
  const clock = () => new Date();
  const signer = createUrlSigner(randomBytes(32), clock);
  Object.assign(fixture.deps, {
    signShareUrl: (id: string, seconds: number) =>
      signShareUrl({ signer, publicUrl: 'http://portal.example' }, id, seconds),
  });
  app = Fastify();
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof PortalError ? error.httpStatus : 500).send(),
  );
  const { database, userReportFiles } = fixture.deps;
  addSharedReportRoutes(app, { database, userReportFiles, signer, clock });
});
afterAll(async () => {
  await app.close();
  await fixture[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

test('the holder of a link cannot fill the audit trail by opening it, and others can open theirs', async () => {
  const support = viewerWith('Support');
  const maria = await fixture.person('Maria Gómez', [{ serialNumber: 'SNOPEN1' }]);
  const { id } = (await fixture.make(support, { personId: maria.id })).row;
  const share = () =>
    shareReport(
      fixture.deps,
      { viewer: support, ...origin },
      { id, redaction: redactionSchema.parse({}), validSeconds: 3_600 },
    );
  const [flooded, other] = [await share(), await share()];
  const open = async (url: string): Promise<number> => {
    const { pathname, search } = new URL(url);
    return (await app.inject({ method: 'GET', url: `${pathname}${search}` })).statusCode;
  };
  const flood = Array.from({ length: 2 * OPENINGS_QUOTA.burst }, () => open(flooded.url));
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200, 429]));
  const [told] = await rowsOf<{ count: number }>(
    db.database,
    `select count(*)::int as count from audit_event where type = 'report.share-opened'`,
    [],
  );
  expect(told?.count).toBeLessThanOrEqual(OPENINGS_QUOTA.burst + 10);
  expect(await open(other.url)).toBe(200);
}, 60_000);
