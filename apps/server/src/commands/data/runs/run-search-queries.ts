import { and, between, desc, eq, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { holds, type Scope } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../../devices/data/device-scope-condition.ts';
import { builtOnce } from '../../../platform/database/built-once.ts';
import {
  containsWanted,
  visibleRowsOfEach,
  wantedParams,
  wantedPosition,
  wantedTexts,
} from '../../../platform/database/contains-wanted.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { onceGiven } from '../../../platform/database/once-given.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { commandRun, invocation } from '../commands-tables.ts';
import { isRunVisible } from './runs-within.ts';

/** Only the newest runs are searched by words. Older ones can be found by ID or in the list of runs. */
const NEWEST = 500;

export type FoundByText = Awaited<ReturnType<typeof runsBetween>>[number];

const ofRun = {
  command: commandRun.command,
  document: commandRun.documentName,
  comment: commandRun.comment,
  createdBy: commandRun.createdBy,
};

const kindOf = (kind: 'run' | 'invocation') => sql<'run' | 'invocation'>`${kind}::text`;

/** @param ids first and last ID, inclusive */
const runsBetween = (
  on: Executor,
  scopes: readonly Scope[],
  { ids, limit }: { readonly ids: readonly [string, string]; readonly limit: number },
) =>
  on
    .select({
      id: commandRun.id,
      kind: kindOf('run'),
      ...ofRun,
      state: sql<string>`${commandRun.state}`,
      at: commandRun.createdAt,
    })
    .from(commandRun)
    .where(and(between(commandRun.id, ...ids), isRunVisible(scopes)))
    .limit(limit);

/** Runs whose ID starts with these hexadecimal digits (without dashes). */
export async function searchRunsByIdBeginning(
  on: Executor,
  scopes: readonly Scope[],
  { digits, limit }: { readonly digits: string; readonly limit: number },
): Promise<FoundByText[]> {
  return runsBetween(on, scopes, {
    ids: [digits.padEnd(32, '0'), digits.padEnd(32, 'f')],
    limit,
  });
}

/** The run or the invocation with this ID. */
export async function searchById(
  on: Executor,
  scopes: readonly Scope[],
  id: string,
): Promise<FoundByText[]> {
  const invocations = on
    .select({
      id: invocation.id,
      kind: kindOf('invocation'),
      ...ofRun,
      state: sql<string>`${invocation.state}`,
      at: invocation.queuedAt,
    })
    .from(invocation)
    .innerJoin(commandRun, eq(commandRun.id, invocation.runId))
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(and(eq(invocation.id, id), deviceScopeCondition(scopes, deviceRecords)));
  return unionAll(runsBetween(on, scopes, { ids: [id, id], limit: 1 }), invocations);
}

const runsByWords = builtOnce((on) => {
  const newest = on
    .select({
      id: commandRun.id,
      ...ofRun,
      state: commandRun.state,
      createdAt: commandRun.createdAt,
    })
    .from(commandRun)
    .orderBy(desc(commandRun.createdAt), desc(commandRun.id))
    .limit(NEWEST)
    .as('newest');
  // Without `people:read` senders are not searched, and a sender's name does not affect the ranking.
  const sender = sql`case when ${onceGiven('readsPeople', 'boolean')}
      or ${newest.createdBy} = ${onceGiven('username', 'text')} then ${newest.createdBy} else '' end`;
  const searched = sql`lower(${newest.command} || ' ' || ${newest.document} || ' ' || ${newest.comment} || ' ' || ${sender})`;
  return on
    .select({
      position: wantedPosition,
      id: newest.id,
      kind: kindOf('run'),
      command: newest.command,
      document: newest.document,
      comment: newest.comment,
      createdBy: newest.createdBy,
      state: sql<string>`${newest.state}`,
      at: newest.createdAt,
    })
    .from(wantedTexts)
    .innerJoin(newest, containsWanted(searched))
    .orderBy(desc(newest.createdAt), desc(newest.id))
    .prepare('runs-by-words');
});

/** For each of some texts, the newest runs whose command, document, comment, and sender contain each of its words. */
export async function searchRunsByWords(
  on: Executor,
  viewer: Viewer,
  {
    scopes,
    texts,
    limit,
  }: {
    readonly scopes: readonly Scope[];
    readonly texts: readonly string[];
    readonly limit: number;
  },
): Promise<FoundByText[][]> {
  const found = await runsByWords(on).execute({
    ...wantedParams(texts),
    readsPeople: holds(viewer.grants, 'people:read'),
    username: viewer.username,
  });
  const visibleOf = (ids: readonly string[]) =>
    on
      .select({ id: commandRun.id })
      .from(commandRun)
      .where(and(isAnyOf(commandRun.id, ids), isRunVisible(scopes)));
  return visibleRowsOfEach(texts, found, { visibleOf, limit });
}
