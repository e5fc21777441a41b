import {
  and,
  asc,
  desc,
  eq,
  inArray,
  isNotNull,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import type { RunAnswer } from '@deviceportal/contract/run-answers';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecords, deviceRecordsAs } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';
import { jsonArray, jsonObject } from '../../platform/database/json-rows.ts';
import { invocation, invocationAnswer, runAnswer } from './commands-tables.ts';
import { withRanges } from './number-ranges.ts';

const MAX_ANSWERS = 100;
const PREVIEW_CHARACTERS = 2_500;
const SAMPLE = 3;

interface OneAnswer {
  readonly runId: string;
  /** Of an output, or of a group of outputs. */
  readonly sha256: string;
}

const build = new QueryBuilder();
const sampleDevice = deviceRecordsAs('sample_device');

/** The group of an output: itself, unless numbers are grouped into ranges. Older outputs are not grouped. */
const groupOf = (ranges: boolean): SQL<string> =>
  ranges
    ? sql<string>`coalesce(${runAnswer.rangesSha256}, ${runAnswer.sha256})`
    : sql<string>`${runAnswer.sha256}`;

const isOf = ({ runId, sha256 }: OneAnswer): SQL | undefined =>
  and(
    eq(runAnswer.runId, runId),
    or(eq(runAnswer.sha256, sha256), eq(runAnswer.rangesSha256, sha256)),
  );

/** The outputs of a run that an output, or a group of outputs, consists of. */
export const outputsOf = (answer: OneAnswer) =>
  build.select({ sha256: runAnswer.sha256 }).from(runAnswer).where(isOf(answer));

/** Number of devices in scope, and of distinct outputs, per group. */
const countedAnswers = (
  scopes: readonly Scope[],
  { runId, ranges, within }: { runId: string; ranges: boolean; within?: SQL | undefined },
) =>
  build
    .select({
      sha256: groupOf(ranges).as('counted_sha256'),
      count: sql<number>`count(*)::int`.as('devices'),
      outputs: sql<number>`count(distinct ${runAnswer.sha256})::int`.as('outputs'),
      /** An output of the group, whose text is shown. */
      first: sql<string>`min(${runAnswer.sha256})`.as('first_sha256'),
    })
    .from(invocationAnswer)
    .innerJoin(
      runAnswer,
      and(
        eq(runAnswer.runId, invocationAnswer.runId),
        eq(runAnswer.sha256, invocationAnswer.sha256),
      ),
    )
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocationAnswer.deviceId))
    .where(
      and(eq(invocationAnswer.runId, runId), within, deviceScopeCondition(scopes, deviceRecords)),
    )
    .groupBy(sql`1`);

/** Whether a row of `invocation_answer` has the output of the `run_answer` row, or an output of the group. */
function isMember(group: SQLWrapper | null): SQL {
  if (group === null) return eq(invocationAnswer.sha256, runAnswer.sha256);
  const member = alias(runAnswer, 'member');
  const members = build
    .select({ sha256: member.sha256 })
    .from(member)
    .where(
      and(
        eq(member.runId, runAnswer.runId),
        sql`(${member.sha256} = ${group} or ${member.rangesSha256} = ${group})`,
      ),
    );
  return inArray(invocationAnswer.sha256, members);
}

/** The first devices in scope with an output, or an output of its group. */
function sampleOf(scopes: readonly Scope[], group: SQLWrapper | null): SQL<RunAnswer['sample']> {
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
        isMember(group),
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
export async function summarizeAnswers(
  on: Executor,
  scopes: readonly Scope[],
  { runId, ranges }: { readonly runId: string; readonly ranges: boolean },
) {
  const counted = build.$with('counted').as(countedAnswers(scopes, { runId, ranges }));
  const most = build
    .select()
    .from(counted)
    .orderBy(desc(counted.count), asc(counted.sha256))
    .limit(MAX_ANSWERS)
    .as('most');
  const beginning = sql`left(${runAnswer.text}, ${PREVIEW_CHARACTERS}::int)`;
  const answer = jsonObject({
    sha256: most.sha256,
    count: most.count,
    outputs: most.outputs,
    statusDetails: runAnswer.statusDetails,
    responseCode: runAnswer.responseCode,
    text: ranges ? withRanges(beginning) : beginning,
    sample: sampleOf(scopes, ranges ? most.sha256 : null),
  });
  const answers = build
    .select({
      answers: jsonArray(answer, { orderBy: sql`${most.count} desc, ${most.sha256}` }),
    })
    .from(most)
    .innerJoin(runAnswer, and(eq(runAnswer.runId, runId), eq(runAnswer.sha256, most.first)));
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

/** A distinct output, or group of outputs, with its whole text; undefined if no device in scope has it. */
export async function findAnswer(
  on: Executor,
  scopes: readonly Scope[],
  wanted: OneAnswer,
): Promise<RunAnswer | undefined> {
  const { runId, sha256 } = wanted;
  const counted = countedAnswers(scopes, { runId, ranges: true, within: isOf(wanted) }).as(
    'counted',
  );
  const isGroup = sql`${runAnswer.sha256} <> ${sha256}`;
  const [found] = await on
    .select({
      sha256: sql<string>`${sha256}::text`,
      count: counted.count,
      outputs: counted.outputs,
      statusDetails: runAnswer.statusDetails,
      responseCode: runAnswer.responseCode,
      text: sql<string>`case when ${isGroup} then ${withRanges(sql`${runAnswer.text}`)} else ${runAnswer.text} end`,
      sample: sampleOf(scopes, sql`${sha256}::text`),
    })
    .from(counted)
    .innerJoin(runAnswer, and(eq(runAnswer.runId, runId), eq(runAnswer.sha256, counted.first)));
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
        inArray(invocationAnswer.sha256, outputsOf({ runId, sha256 })),
        ...scopes.map((each) => deviceScopeCondition(each, deviceRecords)),
      ),
    );
}
