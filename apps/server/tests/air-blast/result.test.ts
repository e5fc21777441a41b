import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import { approveAirBlast } from '../../src/air-blast/decide-approval.ts';
import { getResult } from '../../src/air-blast/get-result.ts';
import { listAirBlasts } from '../../src/air-blast/list-air-blasts.ts';
import { reportText } from '../../src/air-blast/report-text.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { may, origin, seedDevices, viewerHolding, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: AirBlastFixture;
const operator = viewerWith('Operator');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createAirBlastFixture(test.database);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const devices = (count: number) =>
  seedDevices(
    test.database,
    Array.from({ length: count }, () => ({})),
  );

async function textOf(id: string, format: 'csv' | 'json', seesNames = true): Promise<string> {
  const link = { id, format, scopes: [everywhere], seesNames };
  let text = '';
  for await (const piece of reportText(fixture.deps, link)) text += piece;
  return text;
}

describe('the result of a rollout', () => {
  it('has the failures, the timeline, and every device in the files', async () => {
    const plan = await fixture.plan(operator, await devices(20), {
      options: { wavePercents: [50, 100], maxErrors: '100%', successPercent: 50 },
    });
    await fixture.next(operator, plan);
    await fixture.next(operator, plan);
    await fixture.settle(plan, operator);
    await fixture.next(operator, plan);
    let answered = 0;
    const blasted = await fixture.settle(plan, operator, () => {
      answered += 1;
      return answered === 1 ? 'Failed' : answered === 2 ? 'Execution Timed Out' : 'Success';
    });
    expect(blasted.gate).toEqual({ kind: 'blast', total: 19, ended: 19, value: 2, limit: 19 });
    await fixture.next(operator, plan);
    await fixture.settle(plan, operator);
    const { failures, timeline } = await getResult(fixture.deps, operator, plan.id);
    expect(
      Object.fromEntries(failures.map(({ statusDetails, devices: many }) => [statusDetails, many])),
    ).toEqual({ Failed: 1, 'Execution Timed Out': 1 });
    expect(failures[0]?.sample).not.toBeNull();
    expect(timeline.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['air-blast.planned', 'air-blast.wave-opened']),
    );
    expect(timeline.at(-1)?.type).toBe('air-blast.step-finished');
    const csv = await textOf(plan.id, 'csv');
    expect(csv.trim().split('\r\n')).toHaveLength(21);
    const json = JSON.parse(await textOf(plan.id, 'json', false)) as Record<string, unknown[]>;
    expect(json['devices']).toHaveLength(20);
    expect(json['waves']).toHaveLength(3);
    expect(json).toMatchObject({
      state: 'done',
      operator: 'o•••',
      planSha256: plan.planSha256,
    });
  });
});

describe('the list of rollouts that need an action', () => {
  it("has the operator's rollouts with a next step, and those that the viewer can approve", async () => {
    const approver = viewerHolding([may(['air-blast:approve'])], 'Approver');
    const waiting = async (viewer: typeof operator) =>
      (
        await listAirBlasts(fixture.deps, viewer, {
          mine: false,
          active: false,
          waiting: true,
          pageSize: 25,
          cursor: null,
        })
      ).rows.map(({ id }) => id);
    const planner = viewerWith('Operator');
    const plan = await fixture.plan(planner, await devices(100));
    expect(await waiting(planner)).toEqual([plan.id]);
    expect(await waiting(approver)).toEqual([]);
    await fixture.next(planner, plan);
    await fixture.next(planner, plan);
    await fixture.settle(plan, planner);
    expect(await waiting(planner)).toEqual([]);
    expect(await waiting(approver)).toEqual([plan.id]);
    expect(await waiting(viewerWith('Support'))).toEqual([]);
    await approveAirBlast(fixture.deps, approver, {
      id: plan.id,
      planSha256: plan.planSha256,
      comment: '',
      origin,
    });
    expect(await waiting(approver)).toEqual([]);
    expect(await waiting(planner)).toEqual([plan.id]);
  });
});
