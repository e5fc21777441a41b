import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCaseInput } from '@deviceportal/contract/cases';
import { everywhere } from '@deviceportal/contract/permissions';
import { addCaseNote } from '../../src/cases/add-case-note.ts';
import { closeCase } from '../../src/cases/close-case.ts';
import { openCase } from '../../src/cases/open-case.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { cancelReport } from '../../src/reports/cancel-report.ts';
import { getReport, openReport } from '../../src/reports/get-report.ts';
import { createReport, SILENT_SECONDS } from '../../src/reports/creation/create-report.ts';
import { findStaleReports } from '../../src/reports/data/report-queries.ts';
import { may, origin, runInput, viewerHolding, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { createReportFixture, type ReportFixture } from '../support/report-fixture.ts';

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

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);

const told = async (userId: string): Promise<string[]> => {
  const { rows } = await test.database.orm.execute<{ kind: string }>(
    sql`select kind from notification where user_id = ${userId} order by at`,
  );
  return rows.map(({ kind }) => kind);
};

const audited = async (type: string, reportId: string): Promise<number> => {
  const { rows } = await test.database.orm.execute<{ count: number }>(
    sql`select count(*)::int as count from audit_event where type = ${type} and data->>'reportId' = ${reportId}`,
  );
  return rows[0]?.count ?? 0;
};

describe('user report', () => {
  it('contains the events of the devices, and files that match their hashes', async () => {
    const support = viewerWith('Support');
    const { id, devices } = await fixture.person('Maria Gómez', [
      { serialNumber: 'SNMARIA1' },
      { serialNumber: 'SNMARIA2', connectivity: 'offline' },
    ]);
    await fixture.event(devices[0] ?? '', 'device.disconnected', hoursAgo(5));
    await fixture.event(devices[0] ?? '', 'device.connected', hoursAgo(3));
    await fixture.signUp(support);
    await runCommand(
      fixture.deps,
      support,
      runInput({
        command: 'storage/usage',
        target: { kind: 'devices', deviceIds: [...devices] },
      }),
    );
    const { row, document } = await fixture.make(support, { personId: id });
    expect(row).toMatchObject({ state: 'ready', devices: 2 });
    expect(row.progress.map(({ step, endedAt }) => `${step} ${endedAt !== null}`)).toEqual([
      'person true',
      'devices true',
      'commands true',
      'events true',
      'versions true',
      'locations true',
      'findings true',
      'writing true',
    ]);
    expect(document.findings.map(({ code, device }) => `${device} ${code}`)).toContain(
      'SNMARIA2 offline',
    );
    expect(document.commands.map(({ command }) => command)).toEqual([
      'storage/usage',
      'storage/usage',
    ]);
    const strip = document.connectivity.find(({ device }) => device === 'SNMARIA1');
    expect(strip?.pieces.map(({ state }) => state)).toEqual(['unknown', 'offline', 'online']);
    for (const { format, sha256 } of row.files) {
      const content = await readFile(fixture.pathOf(row.id, format));
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
    }
    const zip = unzipSync(await readFile(fixture.pathOf(row.id, 'csv')));
    expect(strFromU8(zip['devices.csv'] ?? new Uint8Array())).toContain('SNMARIA2');
    expect(await told(support.userId)).toEqual(['report-ready']);
  });

  it('is started over after its server died, and is announced once', async () => {
    const support = viewerWith('Support');
    const { id } = await fixture.person('Kim Restart', [{ serialNumber: 'SNRESTART' }]);
    const reportId = await fixture.request(support, { personId: id });
    // A server claimed it and died: its row shows that it is being created.
    await test.database.orm.execute(sql`
      update report set state = 'running', attempt = 1, beat_at = now() where id = ${reportId}`);
    await createReport(fixture.deps, reportId);
    expect(await getReport(fixture.deps, support, reportId)).toMatchObject({ state: 'running' });
    await test.database.orm.execute(sql`
      update report set beat_at = now() - make_interval(secs => ${SILENT_SECONDS + 1}) where id = ${reportId}`);
    expect(await findStaleReports(test.database.orm, SILENT_SECONDS)).toContain(reportId);
    await createReport(fixture.deps, reportId);
    await createReport(fixture.deps, reportId);
    expect(await getReport(fixture.deps, support, reportId)).toMatchObject({ state: 'ready' });
    expect(await told(support.userId)).toEqual(['report-ready']);
  });

  it('is not written by a server that resumes after another one has claimed it', async () => {
    const support = viewerWith('Support');
    const { id } = await fixture.person('Lee StaleRun', [{ serialNumber: 'SNOVERTAKEN' }]);
    const reportId = await fixture.request(support, { personId: id });
    const slow: typeof fixture.deps = {
      ...fixture.deps,
      findCreator: async (creator) => {
        await test.database.orm.execute(
          sql`update report set attempt = attempt + 1 where id = ${reportId}`,
        );
        return fixture.deps.findCreator(creator);
      },
    };
    await createReport(slow, reportId);
    expect(await getReport(fixture.deps, support, reportId)).toMatchObject({ state: 'running' });
    expect(await told(support.userId)).toEqual([]);
  });

  it('is not created after it was canceled', async () => {
    const support = viewerWith('Support');
    const { id } = await fixture.person('Ada Cancelled', [{ serialNumber: 'SNCANCELLED' }]);
    const reportId = await fixture.request(support, { personId: id });
    await cancelReport(fixture.deps, support, reportId);
    await createReport(fixture.deps, reportId);
    expect(await getReport(fixture.deps, support, reportId)).toMatchObject({ state: 'cancelled' });
  });

  it('contains nothing outside the scope of the permission to create reports', async () => {
    const { permissions } = viewerWith('Support').grants[0] ?? { permissions: [] };
    const german = viewerHolding([
      may(permissions.filter((name) => name !== 'reports:create')),
      may(['reports:create'], { ...everywhere, countries: ['DE'] }),
    ]);
    const { id } = await fixture.person('Jo Border', [
      { serialNumber: 'SNGERMAN1', country: 'DE' },
      { serialNumber: 'SNFRENCH1', country: 'FR' },
    ]);
    const { document } = await fixture.make(german, { personId: id });
    expect(JSON.stringify(document)).toContain('SNGERMAN1');
    expect(JSON.stringify(document)).not.toContain('SNFRENCH1');
    const whole = await fixture.make(viewerWith('Support'), { personId: id });
    await expect(getReport(fixture.deps, german, whole.row.id)).rejects.toMatchObject({
      code: 2003,
    });
  });

  it('omits parts without permission and lists them', async () => {
    const blind = viewerHolding([may(['devices:read', 'people:read', 'reports:create'])]);
    const { id } = await fixture.person('Max Blind', [{ serialNumber: 'SNBLIND' }]);
    const { document } = await fixture.make(blind, { personId: id });
    expect(document).toMatchObject({ commands: [], timeline: [], versions: [], places: [] });
    expect(
      document.gaps.filter(({ code }) => code === 'needs-permission').map(({ facts }) => facts),
    ).toContainEqual({ part: 'commands', permission: 'commands:read' });
  });

  it("[report-7] records opening another user's report, but not one's own", async () => {
    const author = viewerWith('Support');
    const colleague = viewerWith('Support');
    const { id } = await fixture.person('Eva Opened', [{ serialNumber: 'SNOPENED' }]);
    const { row } = await fixture.make(author, { personId: id });
    await openReport(fixture.deps, { viewer: author, ...origin }, row.id);
    expect(await audited('report.opened', row.id)).toBe(0);
    await openReport(fixture.deps, { viewer: colleague, ...origin }, row.id);
    expect(await audited('report.opened', row.id)).toBe(1);
  });

  it('[report-8] requires the permission for precise locations, and records access to them', async () => {
    const operator = viewerWith('Operator');
    const { id, devices } = await fixture.person('Ida Located', [{ serialNumber: 'SNLOCATED' }]);
    await test.database.orm.execute(sql`
      insert into geolocation (device_id, at, latitude, longitude, accuracy_meters, source, country)
      values (${devices[0]}, now() - interval '1 hour', 52.51234, 13.41234, 12, 'gps', 'DE')`);
    const support = viewerWith('Support');
    await expect(
      fixture.request(support, { personId: id, includePreciseLocation: true }),
    ).rejects.toMatchObject({ code: 1000 });
    const rounded = await fixture.make(support, { personId: id });
    expect(rounded.document.places).toMatchObject([{ latitude: 52.5, precise: false }]);
    const looks = async (): Promise<number> => {
      const { rows } = await test.database.orm.execute<{ count: number }>(sql`
        select count(*)::int as count from audit_event where type = 'device.location-viewed' and device_id = ${devices[0]}`);
      return rows[0]?.count ?? 0;
    };
    expect(await looks()).toBe(0);
    const precise = await fixture.make(operator, { personId: id, includePreciseLocation: true });
    expect(precise.document.places).toMatchObject([{ latitude: 52.51234, precise: true }]);
    expect(precise.document.map?.points).toHaveLength(1);
    expect(await looks()).toBe(1);
  });

  it('contains the actions in its case and the outcome', async () => {
    const support = viewerWith('Support');
    const { id } = await fixture.person('Rita Cased', [{ serialNumber: 'SNCASED' }]);
    await fixture.signUp(support);
    const caller = { viewer: support, ...origin };
    const asked = openCaseInput.parse({ personId: id, ticket: 'T-77', about: 'No picture' });
    const opened = await openCase(fixture.deps, caller, asked);
    await addCaseNote(fixture.deps, caller, { id: opened.id, text: 'Pulled the plug' });
    await closeCase(fixture.deps, caller, { id: opened.id, outcome: 'resolved', text: 'Works' });
    const { document } = await fixture.make(support, { personId: id, caseId: opened.id });
    expect(document.case).toMatchObject({
      ticket: 'T-77',
      about: 'No picture',
      outcome: 'resolved',
    });
    expect(document.case?.entries.map(({ text }) => text).join('\n')).toContain('Pulled the plug');
  });
});
