import { and, eq, inArray, isNotNull, lt, notExists, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { MASK } from '../parameters/parameter-vault.ts';
import { normalized, withoutEscapes, withReplaced } from './answer-normalizer.ts';
import { invocation, invocationAnswer, invocationOutput, runAnswer } from './commands-tables.ts';

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

/** Reads outputs of a run without secrets inside the database. Returns how many were read. */
export async function storePlainAnswers(
  on: Executor,
  runId: string,
  { limit, most }: { readonly limit: number; readonly most: Streams },
): Promise<number> {
  const beginningOf = (stream: keyof Streams): SQL =>
    sql`(${build
      .select({
        text: sql`left(string_agg(${invocationOutput.text}, '' order by ${invocationOutput.offset}), ${most[stream]}::int)`,
      })
      .from(invocationOutput)
      .where(
        and(
          eq(invocationOutput.invocationId, sql`ended.id`),
          eq(invocationOutput.stream, stream),
          lt(invocationOutput.offset, most[stream]),
        ),
      )})`;
  const said = sql`select coalesce(nullif(concat(
    ${beginningOf('stdout')}, ${beginningOf('stderr')}), ''), ended.output_preview) as text`;
  const { rowCount } = await on.execute(
    keep(runId, inArray(invocation.id, unread(runId, limit)), said),
  );
  return rowCount ?? 0;
}

/** Stores outputs whose secrets have been masked. */
export async function storeMaskedAnswers(
  on: Executor,
  runId: string,
  said: readonly { readonly id: string; readonly text: string }[],
): Promise<void> {
  const ids = said.map(({ id }) => id);
  const texts = sql.param(said.map(({ text }) => text));
  // Masks of any length become equal, because the length of a secret must not be revealed.
  const shown = sql`regexp_replace(${withoutEscapes(sql`hidden.text`)}, '•+', ${MASK}::text, 'g')`;
  const hidden = sql`
    select ${shown} as text from unnest(${sql.param(ids)}::uuid[], ${texts}::text[]) as hidden(id, text)
    where hidden.id = ended.id`;
  await on.execute(keep(runId, and(isAnyOf(invocation.id, ids), isUnread(runId)), hidden));
}

/**
 * @param which of the ended invocations of the run
 * @param said a query for the `text` of a row of `ended`
 */
function keep(runId: string, which: SQL | undefined, said: SQL): SQL {
  const { serialNumber, name } = deviceRecords;
  const ended = build
    .select({
      id: sql`${invocation.id}`.as('id'),
      deviceId: invocation.deviceId,
      statusDetails: invocation.statusDetails,
      responseCode: invocation.responseCode,
      outputPreview: invocation.outputPreview,
      instanceId: invocation.instanceId,
      ...{ serialNumber, name },
    })
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(which);
  const named = withReplaced(
    withoutEscapes(sql`said.text`),
    [serialNumber, invocation.instanceId, name].map((column) => {
      const value = sql`ended.${sql.identifier(column.name)}`;
      // Replacing null would make the whole text null.
      const from = sql`case when length(${value}) >= ${MIN_NAME_CHARACTERS} then ${value} else chr(1) end`;
      return { from, to: '<device>' };
    }),
  );
  const statusDetails = columnNames(invocation.statusDetails);
  const responseCode = columnNames(invocation.responseCode);
  const { invocationId, deviceId } = invocationAnswer;
  return sql`
    with ended as materialized (${ended.getSQL()}),
    answer as materialized (
      select ended.*, ${normalized(named)} as normal from ended, lateral (${said}) said),
    hashed as materialized (
      select *, encode(sha256(convert_to(concat_ws(chr(10), ${statusDetails}, coalesce(${responseCode}::text, '-'), normal),
                                         'UTF8')), 'hex') as digest
      from answer),
    kept as (
      insert into ${runAnswer} (${columnNames(runAnswer.runId, runAnswer.sha256, runAnswer.statusDetails, runAnswer.responseCode, runAnswer.text)})
      select distinct on (digest) ${runId}::uuid, digest, ${statusDetails}, ${responseCode}, left(normal, ${KEPT_CHARACTERS}::int)
      from hashed
      on conflict do nothing)
    insert into ${invocationAnswer} (${columnNames(invocationId, invocationAnswer.runId, deviceId, invocationAnswer.sha256)})
    select id, ${runId}::uuid, ${columnNames(invocation.deviceId)}, digest from hashed
    on conflict do nothing`;
}
