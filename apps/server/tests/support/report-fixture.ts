import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { newId } from '@deviceportal/contract/ids';
import type { ReportRow } from '@deviceportal/contract/reports';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { recordAudit } from '../../src/audit-trail/record-audit.ts';
import { inTransaction, type Database } from '../../src/platform/database/database.ts';
import type { CommandsDeps } from '../../src/commands/commands-deps.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { getReport } from '../../src/reports/get-report.ts';
import { createReport } from '../../src/reports/creation/create-report.ts';
import { reportFileKey, type ReportFileKind } from '../../src/reports/report-files.ts';
import type { CreateReportDeps, ReportsDeps } from '../../src/reports/reports-deps.ts';
import {
  requestUserReport,
  type RequestUserReport,
} from '../../src/reports/request-user-report.ts';
import { createCommandFixture, origin, seedDevices, type SeededDevice } from './command-fixture.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';

export interface ReportFixture extends AsyncDisposable {
  readonly deps: CommandsDeps & ReportsDeps & CreateReportDeps;
  /** Folder of report files. */
  readonly directory: string;
  readonly pathOf: (id: string, kind: ReportFileKind) => string;
  /** Sent jobs, in order. */
  readonly sent: string[];
  /** A person with devices. */
  person(name: string, devices: readonly SeededDevice[]): Promise<SeededPerson>;
  /** Registers a user, who can then be notified and create reports. */
  signUp(viewer: Viewer): Promise<void>;
  event(
    deviceId: string,
    type: 'device.connected' | 'device.disconnected',
    at: Date,
  ): Promise<void>;
  request(viewer: Viewer, input: RequestUserReport): Promise<string>;
  /** Requests and creates a report. */
  make(viewer: Viewer, input: RequestUserReport): Promise<MadeReport>;
}

export interface SeededPerson {
  readonly id: string;
  readonly devices: readonly string[];
}

export interface MadeReport {
  readonly row: ReportRow;
  readonly document: UserReportDocument;
}

export async function createReportFixture(database: Database): Promise<ReportFixture> {
  const { deps: commands } = await createCommandFixture(database);
  const directory = await mkdtemp(join(tmpdir(), 'deviceportal-reports-'));
  const pathOf = (id: string, kind: ReportFileKind) => join(directory, reportFileKey(id, kind));
  const viewers = new Map<string, Viewer>();
  const sent: string[] = [];
  const deps: ReportFixture['deps'] = {
    ...commands,
    ...{ userReportFiles: createDirectoryFiles(directory), reportDays: 30 },
    startReport: async (_tx, id) => void sent.push(id),
    signShareUrl: (id, seconds) => `https://portal.example/shared-report/${id}?${seconds}`,
    maxLinkSeconds: 604_800,
    signUserReportUrl: ({ id, format }) => `/user-report/${id}.${format}`,
    findCreator: async ({ createdBySubject }) => viewers.get(createdBySubject),
  };
  const signUp = async (viewer: Viewer): Promise<void> => {
    if (viewers.has(viewer.subject)) return;
    viewers.set(viewer.subject, viewer);
    await database.orm.execute(sql`
      insert into portal_user (id, subject, username, email, name)
      values (${viewer.userId}, ${viewer.subject}, ${`${viewer.userId}@example.com`}, null, ${viewer.displayName})`);
  };
  const request = async (viewer: Viewer, input: RequestUserReport): Promise<string> => {
    await signUp(viewer);
    return (await requestUserReport(deps, viewer, { ...input, origin })).reportId;
  };
  return {
    ...{ deps, directory, pathOf, sent, signUp, request },
    async person(name, devices) {
      const id = newId();
      const username = name.toLowerCase().replaceAll(' ', '.');
      await database.orm.execute(sql`
        insert into person (id, username, name, email, phone, country)
        values (${id}, ${username}, ${name}, ${`${username}@customer.example`}, ${`+49${id.slice(-9)}`}, 'DE')`);
      const ids = await seedDevices(database, devices);
      await database.orm.execute(
        sql`update device set owner_id = ${id} where id = any(${sql.param(ids)}::uuid[])`,
      );
      return { id, devices: ids };
    },
    event: (deviceId, type, at) =>
      inTransaction(database, (tx) =>
        recordAudit(tx, [
          {
            ...{ type, at, deviceId },
            actor: { kind: 'device', id: deviceId, name: 'device', address: null },
          },
        ]),
      ),
    async make(viewer, input) {
      const id = await request(viewer, input);
      await createReport(deps, id);
      const row = await getReport(deps, viewer, id);
      const text = await readFile(pathOf(id, 'json'), 'utf8');
      return { row, document: JSON.parse(text) as UserReportDocument };
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
