import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { builtinRoles, everywhere, type Grant } from '@deviceportal/contract/permissions';
import { openReport } from '../../../src/reports/get-report.ts';
import { linkReportFile } from '../../../src/reports/link-report-file.ts';
import { listReports } from '../../../src/reports/list-reports.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { may, origin, viewerHolding } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { createReportFixture, type ReportFixture } from '../../support/report-fixture.ts';

let test: TestDatabase;
let fixture: ReportFixture;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createReportFixture(test.database);
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

const small = may(['reports:create', 'devices:read', 'people:read']);
const wide: Grant = {
  permissions: builtinRoles.find(({ name }) => name === 'Administrator')?.permissions ?? [],
  scope: everywhere,
};

async function elevated(viewer: Viewer): Promise<Viewer> {
  const [accessGrantId, until] = [newId(), new Date(Date.now() + 3_600_000).toISOString()];
  await fixture.signUp(viewer);
  await test.database.orm.execute(sql`
    insert into access_grant (id, user_id, role_id, role_name, permissions, scope, reason, minutes, state, asked_at, ends_at)
    select ${accessGrantId}, ${viewer.userId}, id, name, permissions, scope, 'x', 60, 'running', now(), ${until}::timestamptz
    from role where name = 'Administrator'`);
  const temporary = [{ ...wide, accessGrantId, name: 'Administrator', until }];
  return { ...viewer, grants: [...viewer.grants, wide], lasting: viewer.grants, temporary };
}

async function sees(viewer: Viewer, id: string): Promise<boolean[]> {
  const caller = { viewer, ...origin };
  const page = { personId: null, mine: true, pageSize: 25, cursor: null };
  const listed = (await listReports(fixture.deps, viewer, page)).rows.some((row) => row.id === id);
  const reading = [
    openReport(fixture.deps, caller, id),
    linkReportFile(fixture.deps, caller, { id, format: 'pdf' }),
  ];
  const outcomes = await Promise.allSettled(reading);
  return [listed, ...outcomes.map(({ status }) => status === 'fulfilled')];
}

it('a user cannot read a report created with temporary access after it ended; permitted users can', async () => {
  const base = viewerHolding([small]);
  const viewer = await elevated(base);
  // Creators are reloaded: as they are while the access is in effect.
  Object.assign(fixture.deps, { findCreator: async () => viewer });
  const { id: personId } = await fixture.person('Maria', [{ serialNumber: 'SNKEEP1' }]);
  const { row } = await fixture.make(viewer, { personId, includePreciseLocation: true });
  expect(await sees(viewer, row.id)).toEqual([true, true, true]);
  await test.database.orm.execute(sql`update access_grant set state = 'ended', ended_at = now()`);
  expect(await sees(base, row.id)).toEqual([false, false, false]);
  const administrator = viewerHolding([wide]);
  expect((await sees(administrator, row.id)).slice(1)).toEqual([true, true]);
});

it('a report with precise locations is closed to its creator without that permission; another one is not', async () => {
  const base = viewerHolding([small]);
  const viewer = { ...base, grants: [small, may(['locations:read-precise'])] };
  Object.assign(fixture.deps, { findCreator: async () => viewer });
  const { id: personId } = await fixture.person('Ines', [{ serialNumber: 'SNKEEP2' }]);
  await fixture.signUp(viewer);
  const { row: precise } = await fixture.make(viewer, { personId, includePreciseLocation: true });
  const { row: plain } = await fixture.make(viewer, { personId });
  expect(await sees(viewer, precise.id)).toEqual([true, true, true]);
  expect(await sees(base, precise.id)).toEqual([false, false, false]);
  expect(await sees(base, plain.id)).toEqual([true, true, true]);
});
