import { and, asc, eq, lt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { SoftwareReference } from '@deviceportal/contract/versions';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { rowsFor } from '../../platform/database/rows-for.ts';
import type { SoftwareItem } from '../software-table/software-item.ts';
import { softwareVersion } from './versions-tables.ts';

const given = alias(softwareVersion, 'given');
const { component, version } = softwareVersion;

const ofReferences = and(eq(component, given.component), eq(version, given.version));

/** Registered versions. */
export async function selectSoftware(on: Executor, references: readonly SoftwareReference[]) {
  if (references.length === 0) return [];
  const rows = await on
    .select({ row: softwareVersion })
    .from(rowsFor(given, ['component', 'version'], references))
    .innerJoin(softwareVersion, ofReferences);
  return rows.map(({ row }) => row);
}

/** The same, locked until the transaction ends. */
export async function lockAllSoftware(tx: Transaction, references: readonly SoftwareReference[]) {
  if (references.length === 0) return [];
  const rows = await tx
    .select({ row: softwareVersion })
    .from(rowsFor(given, ['component', 'version'], references))
    .innerJoin(softwareVersion, ofReferences)
    .orderBy(asc(component), asc(version))
    .for('no key update', { of: softwareVersion });
  return rows.map(({ row }) => row);
}

const attributesOf = ({ models, channel, releasedAt, notes, revision }: SoftwareItem) => ({
  ...{ models, channel, notes, revision },
  releasedAt: releasedAt === null ? null : new Date(releasedAt),
});

/** False if the version is already registered. */
export async function insertSoftwareItem(tx: Transaction, item: SoftwareItem): Promise<boolean> {
  const { rowCount } = await tx
    .insert(softwareVersion)
    .values({
      ...{ component: item.component, version: item.version, state: item.state },
      ...attributesOf(item),
    })
    .onConflictDoNothing();
  return rowCount === 1;
}

/** Everything except for the state. */
export async function updateSoftwareItem(tx: Transaction, item: SoftwareItem): Promise<void> {
  await tx
    .update(softwareVersion)
    .set(attributesOf(item))
    .where(and(eq(component, item.component), eq(version, item.version)));
}

/** Makes a version newer than a revision. */
export async function raiseRevision(
  tx: Transaction,
  of: SoftwareReference,
  above: number,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(softwareVersion)
    .set({ revision: above + 1 })
    .where(
      and(
        eq(component, of.component),
        eq(version, of.version),
        lt(softwareVersion.revision, above + 1),
      ),
    );
  return rowCount === 1;
}

/** Registered versions in the order of their names. */
export async function listReferences(
  on: Executor,
  after: SoftwareReference | null,
  limit: number,
): Promise<SoftwareReference[]> {
  return on
    .select({ component, version })
    .from(softwareVersion)
    .where(
      after === null
        ? undefined
        : sql`(${component}, ${version}) > (${after.component}, ${after.version})`,
    )
    .orderBy(asc(component), asc(version))
    .limit(limit);
}
