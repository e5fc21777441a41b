import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { everywhere, scopesOf } from '@deviceportal/contract/permissions';
import { airBlastState } from '@deviceportal/contract/states';
import { reportText as resultText } from '../../src/air-blast/report-text.ts';
import { airBlastLayout } from '../../src/evidence/layouts/air-blast-layout.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { may, seedDevices, viewerHolding, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import {
  createEvidenceFixture,
  type EvidenceFixture,
} from '../support/reports/evidence-fixture.ts';

const DEVICES = 8;

let test: TestDatabase;
let rollouts: AirBlastFixture;
let evidence: EvidenceFixture;
let rollout: AirBlastDetail;
const operator = viewerWith('Operator');

beforeAll(async () => {
  test = await createTestDatabase();
  rollouts = await createAirBlastFixture(test.database);
  evidence = await createEvidenceFixture(test, rollouts.deps);
  const devices = await seedDevices(
    test.database,
    Array.from({ length: DEVICES }, () => ({ country: 'DE' })),
  );
  rollout = await finished(devices);
});
afterAll(async () => {
  await evidence[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

/** With one device that failed and one that did not answer in time. */
async function finished(devices: readonly string[]): Promise<AirBlastDetail> {
  const plan = await rollouts.plan(operator, devices, {
    name: 'Clean the lockers',
    options: { wavePercents: [50, 100], maxErrors: '100%', successPercent: 50 },
  });
  await rollouts.next(operator, plan);
  await rollouts.next(operator, plan);
  await rollouts.settle(plan, operator);
  await rollouts.next(operator, plan);
  let answered = 0;
  await rollouts.settle(plan, operator, () => {
    answered += 1;
    return answered === 1 ? 'Failed' : answered === 2 ? 'Execution Timed Out' : 'Success';
  });
  await rollouts.next(operator, plan);
  return rollouts.settle(plan, operator);
}

const pdfFor = (viewer: Viewer, language: 'en' | 'zh-CN' = 'en'): Promise<string> =>
  evidence.reportText(viewer, {
    id: rollout.id,
    kind: 'air-blast',
    layOut: airBlastLayout,
    language,
  });

interface ResultFile {
  readonly name: string;
  readonly state: keyof typeof airBlastState;
  readonly operator: string;
  readonly planSha256: string;
  readonly report: { readonly asIntended: number; readonly failed: number };
  readonly waves: readonly { readonly devices: number }[];
  readonly failures: readonly { readonly statusDetails: string; readonly devices: number }[];
  readonly devices: readonly object[];
}

async function fileFor(viewer: Viewer, format: 'csv' | 'json'): Promise<string> {
  const scopes = scopesOf(viewer.grants, ['devices:read']);
  const seesNames = viewer.grants.some(({ permissions }) => permissions.includes('people:read'));
  let text = '';
  const link = { id: rollout.id, format, scopes, seesNames };
  for await (const piece of resultText(rollouts.deps, link)) text += piece;
  return text;
}

/** The line of a table, as the text of the PDF has it. */
const lineOf = (...cells: readonly (string | number)[]): RegExp =>
  new RegExp(
    cells
      .map((cell) => String(cell).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join(String.raw`\s+`),
  );

describe('the report of a rollout', () => {
  it('says the same as the JSON and CSV files of its result', async () => {
    const pdf = await pdfFor(operator);
    const file = JSON.parse(await fileFor(operator, 'json')) as ResultFile;
    expect(file).toMatchObject({ name: 'Clean the lockers', state: 'done' });
    expect(pdf).toContain(`AirBlast rollout ${file.name}`);
    expect(pdf).toMatch(lineOf('Status', airBlastState[file.state].en));
    expect(pdf).toMatch(lineOf('Succeeded', file.report.asIntended));
    expect(pdf).toMatch(lineOf('Failed', file.report.failed));
    expect(pdf).toMatch(lineOf('Operator', file.operator));
    expect(pdf.replaceAll(/\s/g, '')).toContain(file.planSha256);
    expect(file.failures.map(({ statusDetails, devices }) => [statusDetails, devices])).toEqual(
      expect.arrayContaining([
        ['Failed', 1],
        ['Execution Timed Out', 1],
      ]),
    );
    for (const { devices } of file.waves) expect(pdf).toMatch(new RegExp(`\\b${devices}\\b`));
    expect(file.devices).toHaveLength(DEVICES);
    expect((await fileFor(operator, 'csv')).trim().split('\r\n')).toHaveLength(DEVICES + 1);
  });

  it('is in the language of its reader, with the same numbers', async () => {
    const pdf = await pdfFor(operator, 'zh-CN');
    expect(pdf).toContain('AirBlast 发布任务：Clean the lockers');
    expect(pdf).toMatch(lineOf('状态', airBlastState.done['zh-CN']));
    expect(pdf).toMatch(lineOf('成功', rollout.report.asIntended));
  });

  it('masks the names that its reader may not see, in all files alike', async () => {
    const grants = operator.grants.map((grant) => ({
      ...grant,
      permissions: grant.permissions.filter((permission) => permission !== 'people:read'),
    }));
    const reader = viewerHolding(grants, 'Reader');
    const pdf = await pdfFor(reader);
    const json = await fileFor(reader, 'json');
    for (const text of [pdf, json]) {
      expect(text).toContain('o•••');
      expect(text).not.toContain('operator@deviceportal.local');
    }
  });
});

describe('a reader without rights to a rollout', () => {
  const files = async (): Promise<number> =>
    (await readdir(join(evidence.folder, 'files'), { recursive: true })).length;
  const exported = async (): Promise<number> => {
    const { rows } = await test.database.orm.execute<{ count: number }>(
      sql`select count(*)::int as count from audit_event where type = 'evidence.exported'`,
    );
    return rows[0]?.count ?? 0;
  };

  it.each([
    ['whose scope has none of its devices', { ...everywhere, countries: ['FR'] }],
    ['whose scope is another model', { ...everywhere, models: ['another'] }],
  ])('%s gets no report, and nothing is stored', async (_what, scope) => {
    const stranger = viewerWith('Operator', scope);
    const before = [await files(), await exported()];
    await expect(pdfFor(stranger)).rejects.toMatchObject({ code: 2003 });
    expect([await files(), await exported()]).toEqual(before);
  });

  it('gets no list of devices that are outside the scope in the files', async () => {
    const reader = viewerHolding([may(['devices:read'], { ...everywhere, countries: ['FR'] })]);
    const file = JSON.parse(await fileFor(reader, 'json')) as ResultFile;
    expect(file.devices).toEqual([]);
    expect((await fileFor(reader, 'csv')).trim().split('\r\n')).toHaveLength(1);
  });
});
