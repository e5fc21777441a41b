import { and, desc, eq, gt, inArray, or, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { IMPORT_HOURS, type ImportKind } from '@deviceportal/contract/imports';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import type { MomentCursor } from '../../platform/moment-cursor.ts';
import { dataImport } from './imports-tables.ts';

export type StoredImport = typeof dataImport.$inferSelect;

const build = new QueryBuilder();
const isOwn = (userId: string) => eq(dataImport.createdById, userId);

/** Imports with rows that are not confirmed yet, or that are being applied or undone, for growth limits. */
export const openImportsOf = (userId: string): SQL =>
  build
    .select({ id: dataImport.id })
    .from(dataImport)
    .where(
      and(
        isOwn(userId),
        or(
          inArray(dataImport.state, ['applying', 'undoing']),
          and(
            inArray(dataImport.state, ['uploading', 'checking', 'ready']),
            gt(dataImport.createdAt, sql`${portalNow} - make_interval(hours => ${IMPORT_HOURS})`),
          ),
        ),
      ),
    )
    .getSQL();

export const importsOfToday = (userId: string): SQL =>
  build
    .select({ id: dataImport.id })
    .from(dataImport)
    .where(and(isOwn(userId), gt(dataImport.createdAt, sql`${portalNow} - interval '1 day'`)))
    .getSQL();

export async function insertImport(
  tx: Transaction,
  created: Pick<StoredImport, 'id' | 'kind' | 'fileName' | 'encoding' | 'counts' | 'createdById'>,
): Promise<void> {
  await tx.insert(dataImport).values(created);
}

/** An import of a user; undefined for those of others. */
export async function findImport(
  on: Executor,
  userId: string,
  id: string,
): Promise<StoredImport | undefined> {
  const [found] = await on
    .select()
    .from(dataImport)
    .where(and(eq(dataImport.id, id), isOwn(userId)));
  return found;
}

/** Locked until the transaction ends, so that one request at a time continues it. */
export async function lockImport(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<StoredImport | undefined> {
  const [found] = await tx
    .select()
    .from(dataImport)
    .where(and(eq(dataImport.id, id), isOwn(userId)))
    .for('update');
  return found;
}

const awaitsFile = (id: string) =>
  and(
    eq(dataImport.id, id),
    eq(dataImport.state, 'uploading'),
    gt(dataImport.createdAt, sql`${portalNow} - interval '1 hour'`),
  );

/** An import that waits for its file; a file is accepted once. */
export async function findUpload(on: Executor, id: string): Promise<StoredImport | undefined> {
  const [found] = await on.select().from(dataImport).where(awaitsFile(id));
  return found;
}

/** Whether an import still waits for its file; locked until the transaction ends. */
export async function holdUpload(tx: Transaction, id: string): Promise<boolean> {
  const found = await tx
    .select({ id: dataImport.id })
    .from(dataImport)
    .where(awaitsFile(id))
    .for('update');
  return found.length > 0;
}

export type ImportChanges = Partial<
  Pick<StoredImport, 'state' | 'counts' | 'ignoredColumns' | 'problem' | 'hasClaim'>
> & { readonly isConfirmed?: true; readonly hasEnded?: true };

export async function updateImport(
  tx: Transaction,
  id: string,
  { isConfirmed, hasEnded, ...changes }: ImportChanges,
): Promise<void> {
  await tx
    .update(dataImport)
    .set({
      ...changes,
      ...(isConfirmed && { confirmedAt: portalNow }),
      ...(hasEnded && { endedAt: portalNow }),
    })
    .where(eq(dataImport.id, id));
}

export const selectImportsById = (
  on: Executor,
  userId: string,
  { kinds, ids }: { readonly kinds: readonly ImportKind[]; readonly ids: readonly string[] },
): Promise<StoredImport[]> =>
  on
    .select()
    .from(dataImport)
    .where(and(isAnyOf(dataImport.id, ids), isOwn(userId), inArray(dataImport.kind, [...kinds])));

/** The imports of a user, latest first. */
export async function selectImports(
  on: Executor,
  userId: string,
  page: {
    readonly kinds: readonly ImportKind[];
    readonly after: MomentCursor | null;
    readonly limit: number;
  },
) {
  const { kinds, after, limit } = page;
  return on
    .select({ row: dataImport, createdAtText: sql<string>`${dataImport.createdAt}::text` })
    .from(dataImport)
    .where(
      and(
        isOwn(userId),
        inArray(dataImport.kind, [...kinds]),
        after === null
          ? undefined
          : sql`(${dataImport.createdAt}, ${dataImport.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(dataImport.createdAt), desc(dataImport.id))
    .limit(limit);
}
