import type { TableSource } from '@deviceportal/contract/data-sources';
import type pg from 'pg';
import { poolOf, type Database, type Executor } from '../platform/database/database.ts';

const enabled = new WeakMap<pg.Pool, ReadonlySet<TableSource>>();

/** Queues changes of these sources from now on. Without this call, changes cost nothing. */
export function enableOutgoing(
  { pool }: Pick<Database, 'pool'>,
  sources: readonly TableSource[],
): void {
  enabled.set(pool, new Set(sources));
}

export const isOutgoing = (on: Executor, source: TableSource): boolean =>
  enabled.get(poolOf(on))?.has(source) === true;
