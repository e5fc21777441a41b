import { splitTypes } from '../../data/search/event-types.ts';
import type { EventConditions, EventPosition, EventsOfUser, NewestEvents } from './history-port.ts';

/** A condition in SQL, with a question mark for each value. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly string[];
}

/**
 * Conditions in SQL that DuckDB and Trino understand alike. Times are compared as texts, because all have the same
 * form.
 */
export function conditionsOfNewest({
  conditions,
  before,
}: Pick<NewestEvents, 'conditions' | 'before'>): Condition {
  return every([
    ...(before === null ? [] : [isBefore(before)]),
    ...compare('"at" >= ?', conditions.from),
    ...compare('"at" <= ?', conditions.to),
    ...compare('"deviceId" = ?', conditions.deviceId),
    ...compare('"actorId" = ?', conditions.actorId),
    ...compare('"actorKind" = ?', conditions.actorKind),
    ...compare('"requestId" = ?', conditions.requestId),
    ...compare('"runId" = ?', conditions.runId),
    ...compare('"caseId" = ?', conditions.caseId),
    ...(conditions.addresses === null ? [] : [isIn('"actorAddress"', conditions.addresses)]),
    ...typeConditions(conditions.types),
    ...(conditions.typesWithResult === null ? [] : [isIn('"type"', conditions.typesWithResult)]),
  ]);
}

export const conditionsOfUser = ({ userId }: Pick<EventsOfUser, 'userId'>): Condition =>
  every([
    { sql: `"actorId" = ?`, values: [userId] },
    { sql: `"actorKind" <> 'device'`, values: [] },
  ]);

export const every = (conditions: readonly Condition[]): Condition => ({
  sql: conditions.map(({ sql }) => sql).join(' and ') || 'true',
  values: conditions.flatMap(({ values }) => values),
});

/** @param expression SQL of a column, quoted */
export const isIn = (expression: string, values: readonly string[]): Condition => ({
  sql: `${expression} in (${values.map(() => '?').join(', ')})`,
  values,
});

const compare = (sql: string, value: string | null): Condition[] =>
  value === null ? [] : [{ sql, values: [value] }];

/** The first comparison is redundant: it alone can skip row groups by their statistics. */
const isBefore = ({ at, id }: EventPosition): Condition => ({
  sql: `"at" <= ? and ("at" < ? or "id" < ?)`,
  values: [at, at, id],
});

function typeConditions(types: EventConditions['types']): Condition[] {
  const split = splitTypes(types);
  if (split === null) return [];
  const { exact, prefixes } = split;
  const any = [
    ...(exact.length === 0 ? [] : [isIn('"type"', exact)]),
    ...prefixes.map((prefix) => ({ sql: 'starts_with("type", ?)', values: [prefix] })),
  ];
  return [
    {
      sql: `(${any.map(({ sql }) => sql).join(' or ') || 'false'})`,
      values: any.flatMap(({ values }) => values),
    },
  ];
}
