import { and, asc, desc, eq, inArray, isNotNull, ne, sql, type SQL } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import type { SoftwareVersionState } from '@deviceportal/contract/states';
import type { SoftwareReference } from '@deviceportal/contract/versions';
import { builtOnce } from '../../platform/database/built-once.ts';
import {
  containsWanted,
  rowsOfEach,
  wantedParams,
  wantedPosition,
  wantedTexts,
} from '../../platform/database/contains-wanted.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { rowsFor } from '../../platform/database/rows-for.ts';
import { softwareVersion } from './versions-tables.ts';

type Software = typeof softwareVersion.$inferSelect;

const isVersion = ({ component, version }: SoftwareReference): SQL | undefined =>
  and(eq(softwareVersion.component, component), eq(softwareVersion.version, version));

const nextRevision = sql`${softwareVersion.revision} + 1`;

/** All registered versions, for growth limits. */
export const allSoftware = (): SQL =>
  new QueryBuilder().select({ version: softwareVersion.version }).from(softwareVersion).getSQL();

/** Locked until the transaction ends. */
export async function lockSoftware(
  tx: Executor,
  reference: SoftwareReference,
): Promise<Pick<Software, 'state' | 'models' | 'artifactKey'> | undefined> {
  const { state, models, artifactKey } = softwareVersion;
  const [found] = await tx
    .select({ state, models, artifactKey })
    .from(softwareVersion)
    .where(isVersion(reference))
    .for('update');
  return found;
}

export interface NewSoftware
  extends SoftwareReference, Pick<Software, 'channel' | 'notes' | 'createdBy' | 'createdAt'> {
  readonly models: readonly string[];
  /** ISO 8601. */
  readonly releasedAt: string | null;
}

/** False if the version is already registered. */
export async function insertSoftware(tx: Transaction, made: NewSoftware): Promise<boolean> {
  const { component, version, channel, notes, createdBy, createdAt, models, releasedAt } = made;
  const { rowCount } = await tx
    .insert(softwareVersion)
    .values({
      ...{ component, version, channel, notes, createdBy, createdAt },
      models: [...models],
      releasedAt: releasedAt === null ? null : new Date(releasedAt),
    })
    .onConflictDoNothing();
  return rowCount === 1;
}

export async function setSoftwareState(
  tx: Transaction,
  reference: SoftwareReference,
  state: SoftwareVersionState,
): Promise<void> {
  await tx
    .update(softwareVersion)
    .set({ state, revision: nextRevision })
    .where(isVersion(reference));
}

/** The stored file from which devices install a version. */
export interface SoftwareArtifact {
  readonly name: string;
  readonly storageKey: string;
  readonly bytes: number;
  readonly sha256: string;
}

export async function setSoftwareArtifact(
  tx: Transaction,
  reference: SoftwareReference,
  { name, storageKey, bytes, sha256 }: SoftwareArtifact,
): Promise<void> {
  await tx
    .update(softwareVersion)
    .set({
      artifactName: name,
      artifactKey: storageKey,
      artifactBytes: bytes,
      artifactSha256: sha256,
      revision: nextRevision,
    })
    .where(isVersion(reference));
}

const storedFile = {
  bytes: sql<number>`${softwareVersion.artifactBytes}::float8`,
  sha256: sql<string>`${softwareVersion.artifactSha256}`,
};

/** Size and hash of the file of a version, if it is stored under this key. */
export async function findAttached(on: Executor, reference: SoftwareReference, key: string) {
  const [found] = await on
    .select(storedFile)
    .from(softwareVersion)
    .where(and(isVersion(reference), eq(softwareVersion.artifactKey, key)));
  return found;
}

/** Size and hash of a file that may be downloaded: no version that uses it is blocked. */
export async function findServedFile(on: Executor, key: string) {
  const [found] = await on
    .select(storedFile)
    .from(softwareVersion)
    .where(and(eq(softwareVersion.artifactKey, key), ne(softwareVersion.state, 'blocked')))
    .limit(1);
  return found;
}

/** Those of these files that belong to a version. */
export async function findKnownKeys(on: Executor, keys: readonly string[]): Promise<Set<string>> {
  const key = sql<string>`${softwareVersion.artifactKey}`;
  const rows = await on
    .select({ key })
    .from(softwareVersion)
    .where(isAnyOf(softwareVersion.artifactKey, keys));
  return new Set(rows.map((row) => row.key));
}

/** The files of these versions that may be installed: drafts may still change, and blocked versions must not run. */
export async function selectInstallableFiles(on: Executor, wanted: readonly SoftwareReference[]) {
  const given = alias(softwareVersion, 'given');
  const { component, version } = softwareVersion;
  return on
    .select({
      component,
      version,
      storageKey: sql<string>`${softwareVersion.artifactKey}`,
      name: sql<string>`${softwareVersion.artifactName}`,
      ...storedFile,
    })
    .from(rowsFor(given, ['component', 'version'], wanted))
    .innerJoin(softwareVersion, and(eq(component, given.component), eq(version, given.version)))
    .where(
      and(
        inArray(softwareVersion.state, ['approved', 'deprecated']),
        isNotNull(softwareVersion.artifactKey),
      ),
    );
}

/** Maximum number of versions found for a text. */
const MAX_FOUND = 200;

const softwareByWords = builtOnce((on) => {
  const { component, version, notes, state } = softwareVersion;
  const searched = sql`lower(${component} || ' ' || ${version})`;
  const found = on
    .select({ component, version, notes, state })
    .from(softwareVersion)
    .where(containsWanted(searched))
    .orderBy(asc(component), desc(sql`version_rank(${version}) collate "C"`))
    .limit(MAX_FOUND)
    .as('found');
  return on
    .select({
      position: wantedPosition,
      component: found.component,
      version: found.version,
      notes: found.notes,
      state: found.state,
    })
    .from(wantedTexts)
    .crossJoinLateral(found)
    .prepare('software-by-words');
});

/** For each of some texts, the versions whose component and number contain all its words; the newest of a component first. */
export const searchSoftware = async (on: Executor, texts: readonly string[]) =>
  rowsOfEach(texts, await softwareByWords(on).execute(wantedParams(texts)));
