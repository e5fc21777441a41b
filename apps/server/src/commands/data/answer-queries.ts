import { and, asc, desc, eq, isNotNull, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { RunAnswer } from '@deviceportal/contract/run-answers';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecords, deviceRecordsAs } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';
import { jsonArray, jsonObject } from '../../platform/database/json-rows.ts';
import { invocation, invocationAnswer, runAnswer } from './commands-tables.ts';

const MAX_ANSWERS = 100;
const PREVIEW_CHARACTERS = 2_500;
const SAMPLE = 3;

interface OneAnswer {
  readonly runId: string;
  readonly sha256: string;
}

const build = new QueryBuilder();
const sampleDevice = deviceRecordsAs('sample_device');

/** Number of devices in scope per distinct output of a run. */
const countedAnswers = (
  scopes: readonly Scope[],
  { runId, sha256 }: Pick<OneAnswer, 'runId'> & Partial<OneAnswer>,
) =>
  build
    .select({
      sha256: sql<string>`${invocationAnswer.sha256}`.as('counted_sha256'),
      count: sql<number>`count(*)::int`.as('devices'),
    })
    .from(invocationAnswer)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocationAnswer.deviceId))
    .where(
      and(
        eq(invocationAnswer.runId, runId),
        sha256 === undefined ? undefined : eq(invocationAnswer.sha256, sha256),
        deviceScopeCondition(scopes, deviceRecords),
      ),
    )
    .groupBy(invocationAnswer.sha256);

/** The first devices in scope with the output of a `run_answer` row. */
function sampleOf(scopes: readonly Scope[]): SQL<RunAnswer['sample']> {
  const first = build
    .select({
      invocationId: invocationAnswer.invocationId,
      serialNumber: sampleDevice.serialNumber,
      name: sampleDevice.name,
    })
    .from(invocationAnswer)
    .innerJoin(sampleDevice, eq(sampleDevice.deviceId, invocationAnswer.deviceId))
    .where(
      and(
        eq(invocationAnswer.runId, runAnswer.runId),
        eq(invocationAnswer.sha256, runAnswer.sha256),
        deviceScopeCondition(scopes, sampleDevice),
      ),
    )
    .orderBy(asc(invocationAnswer.deviceId))
    .limit(SAMPLE)
    .as('first');
  const { invocationId, serialNumber, name } = first;
  return sql<RunAnswer['sample']>`(${build
    .select({ sample: jsonArray(jsonObject({ invocationId, serialNumber, name })) })
    .from(first)})`;
}

/**
 * The most frequent distinct outputs of a run in scope, their number, and the number of devices that are not read yet.
 */
export async function summarizeAnswers(on: Executor, scopes: readonly Scope[], runId: string) {
  const counted = build.$with('counted').as(countedAnswers(scopes, { runId }));
  const most = build
    .select()
    .from(counted)
    .orderBy(desc(counted.count), asc(counted.sha256))
    .limit(MAX_ANSWERS)
    .as('most');
  const answer = jsonObject({
    sha256: runAnswer.sha256,
    count: most.count,
    statusDetails: runAnswer.statusDetails,
    responseCode: runAnswer.responseCode,
    text: sql<string>`left(${runAnswer.text}, ${PREVIEW_CHARACTERS}::int)`,
    sample: sampleOf(scopes),
  });
  const answers = build
    .select({
      answers: jsonArray(answer, { orderBy: sql`${most.count} desc, ${most.sha256}` }),
    })
    .from(most)
    .innerJoin(runAnswer, and(eq(runAnswer.runId, runId), eq(runAnswer.sha256, most.sha256)));
  const ended = build
    .select({ count: sql`count(*)::int` })
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(
      and(
        eq(invocation.runId, runId),
        isNotNull(invocation.endedAt),
        deviceScopeCondition(scopes, deviceRecords),
      ),
    );
  const [found] = await on
    .with(counted)
    .select({
      distinct: sql<number>`count(*)::int`,
      unread: sql<number>`(${ended}) - coalesce(sum(${counted.count})::int, 0)`,
      answers: sql<RunAnswer[]>`(${answers})`,
    })
    .from(counted);
  return found ?? { distinct: 0, unread: 0, answers: [] };
}

/** A distinct output with its whole text; undefined if no device in scope has it. */
export async function findAnswer(
  on: Executor,
  scopes: readonly Scope[],
  wanted: OneAnswer,
): Promise<RunAnswer | undefined> {
  const counted = countedAnswers(scopes, wanted).as('counted');
  const [found] = await on
    .select({
      sha256: runAnswer.sha256,
      count: counted.count,
      statusDetails: runAnswer.statusDetails,
      responseCode: runAnswer.responseCode,
      text: runAnswer.text,
      sample: sampleOf(scopes),
    })
    .from(counted)
    .innerJoin(
      runAnswer,
      and(eq(runAnswer.runId, wanted.runId), eq(runAnswer.sha256, counted.sha256)),
    );
  return found;
}

/** The devices with a distinct output that are within all of the scopes. */
export async function findAnsweringDevices(
  on: Executor,
  scopes: readonly (readonly Scope[])[],
  { runId, sha256 }: OneAnswer,
) {
  return on
    .select({ serialNumber: deviceRecords.serialNumber })
    .from(invocationAnswer)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocationAnswer.deviceId))
    .where(
      and(
        eq(invocationAnswer.runId, runId),
        eq(invocationAnswer.sha256, sha256),
        ...scopes.map((each) => deviceScopeCondition(each, deviceRecords)),
      ),
    );
}
