import {
  and,
  eq,
  inArray,
  isNotNull,
  lt,
  notExists,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { QueryBuilder, type SubqueryWithSelection } from 'drizzle-orm/pg-core';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { materialized } from '../../platform/database/materialized.ts';
import { namedRows } from '../../platform/database/named-rows.ts';
import { MASK } from '../parameters/parameter-vault.ts';
import { normalized, withoutEscapes, withReplaced } from './answer-normalizer.ts';
import { invocation, invocationAnswer, invocationOutput, runAnswer } from './commands-tables.ts';
import { withRanges } from './number-ranges.ts';

const KEPT_CHARACTERS = 20_000;
/** Shorter names would match parts of ordinary words. */
const MIN_NAME_CHARACTERS = 6;

/** Number of characters per stream that are compared. */
type Streams = Readonly<Record<'stdout' | 'stderr', number>>;

const build = new QueryBuilder();

const isUnread = (runId: string): SQL | undefined =>
  and(
    eq(invocation.runId, runId),
    isNotNull(invocation.endedAt),
    notExists(
      build
        .select({ id: invocationAnswer.invocationId })
        .from(invocationAnswer)
        .where(eq(invocationAnswer.invocationId, invocation.id)),
    ),
  );

const unread = (runId: string, limit: number) =>
  build.select({ id: invocation.id }).from(invocation).where(isUnread(runId)).limit(limit);

/** Ended invocations of a run whose outputs are not read yet. */
export async function findUnreadInvocations(
  on: Executor,
  runId: string,
  limit: number,
): Promise<string[]> {
  const rows = await on.select().from(unread(runId, limit).as('unread'));
  return rows.map(({ id }) => id);
}

const ended = (which: SQL | undefined) =>
  build.$with('ended').as(
    build
      .select({
        id: sql<string>`${invocation.id}`.as('ended_id'),
        deviceId: invocation.deviceId,
        statusDetails: invocation.statusDetails,
        responseCode: invocation.responseCode,
        outputPreview: invocation.outputPreview,
        instanceId: invocation.instanceId,
        serialNumber: deviceRecords.serialNumber,
        name: deviceRecords.name,
      })
      .from(invocation)
      .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
      .where(which),
  );

type Ended = ReturnType<typeof ended>;

/** Reads outputs of a run without secrets inside the database. Returns how many were read. */
export async function storePlainAnswers(
  on: Executor,
  runId: string,
  { limit, most }: { readonly limit: number; readonly most: Streams },
): Promise<number> {
  const read = ended(inArray(invocation.id, unread(runId, limit)));
  const beginningOf = (stream: keyof Streams): SQL =>
    sql`(${build
      .select({
        text: sql`left(string_agg(${invocationOutput.text}, '' order by ${invocationOutput.offset}), ${most[stream]}::int)`,
      })
      .from(invocationOutput)
      .where(
        and(
          eq(invocationOutput.invocationId, read.id),
          eq(invocationOutput.stream, stream),
          lt(invocationOutput.offset, most[stream]),
        ),
      )})`;
  const text = sql<string>`coalesce(nullif(concat(
    ${beginningOf('stdout')}, ${beginningOf('stderr')}), ''), ${read.outputPreview})`;
  const output = build.select({ text: text.as('output_text') }).from(sql`(select) as one`);
  const { rowCount } = await on.execute(storeAnswers(runId, read, output.as('output')));
  return rowCount ?? 0;
}

/** Stores outputs whose secrets have been masked. */
export async function storeMaskedAnswers(
  on: Executor,
  runId: string,
  masked: readonly { readonly id: string; readonly text: string }[],
): Promise<void> {
  if (masked.length === 0) return;
  const ids = masked.map(({ id }) => id);
  const read = ended(and(isAnyOf(invocation.id, ids), isUnread(runId)));
  const { source, columns } = namedRows('masked', { id: 'uuid', text: 'text' }, masked);
  // Masks of any length become equal, because the length of a secret must not be revealed.
  const text = sql<string>`regexp_replace(${withoutEscapes(columns.text)}, ${`${MASK.slice(0, 1)}+`}::text, ${MASK}::text, 'g')`;
  const output = build
    .select({ text: text.as('output_text') })
    .from(source)
    .where(eq(columns.id, read.id));
  await on.execute(storeAnswers(runId, read, output.as('output')));
}

/** @param output the text of each row of `read`, for a lateral join */
function storeAnswers(
  runId: string,
  read: Ended,
  output: SubqueryWithSelection<{ text: SQL.Aliased<string> }, 'output'>,
): SQL {
  const names = [read.serialNumber, read.instanceId, read.name].map((name) => {
    // Replacing null would make the whole text null.
    const from = sql`case when length(${name}) >= ${MIN_NAME_CHARACTERS} then ${name} else chr(1) end`;
    return { from, to: '<device>' };
  });
  const named = withReplaced(withoutEscapes(sql`${output.text}`), names);
  const { id, deviceId, statusDetails, responseCode } = read;
  const answer = build.$with('answer').as(
    build
      .select({
        ...{ id, deviceId, statusDetails, responseCode },
        normal: sql<string>`${normalized(named)}`.as('normal'),
      })
      .from(read)
      .crossJoinLateral(output),
  );
  const digest = digestOf(answer, sql`${answer.normal}`);
  const hashed = build.$with('hashed').as(
    build
      .select({
        id: answer.id,
        deviceId: answer.deviceId,
        statusDetails: answer.statusDetails,
        responseCode: answer.responseCode,
        normal: answer.normal,
        digest: digest.as('digest'),
      })
      .from(answer),
  );
  // Ranges are computed once per distinct output, not per device.
  const one = build.selectDistinctOn([hashed.digest]).from(hashed).as('one');
  const { invocationId } = invocationAnswer;
  return sql`
    with ${materialized(read)}, ${materialized(answer)}, ${materialized(hashed)},
    kept as (
      insert into ${runAnswer} (${columnNames(runAnswer.runId, runAnswer.sha256, runAnswer.statusDetails, runAnswer.responseCode, runAnswer.text, runAnswer.rangesSha256)})
      select ${runId}::uuid, ${one.digest}, ${one.statusDetails}, ${one.responseCode},
        left(${one.normal}, ${KEPT_CHARACTERS}::int), ${digestOf(one, withRanges(sql`${one.normal}`))}
      from ${one}
      on conflict do nothing)
    insert into ${invocationAnswer} (${columnNames(invocationId, invocationAnswer.runId, invocationAnswer.deviceId, invocationAnswer.sha256)})
    select ${hashed.id}, ${runId}::uuid, ${hashed.deviceId}, ${hashed.digest} from ${hashed}
    on conflict do nothing`;
}

interface DigestParts {
  readonly statusDetails: SQLWrapper;
  readonly responseCode: SQLWrapper;
}

const digestOf = ({ statusDetails, responseCode }: DigestParts, text: SQL): SQL<string> =>
  sql<string>`encode(sha256(convert_to(concat_ws(chr(10), ${statusDetails},
    coalesce(${responseCode}::text, '-'), ${text}), 'UTF8')), 'hex')`;
