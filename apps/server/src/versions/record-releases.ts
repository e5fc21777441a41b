import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SoftwareVersionState } from '@deviceportal/contract/states';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import { insertPastAdoption } from './data/adoption-queries.ts';
import { insertApproval } from './data/approval-queries.ts';
import { refreshCellStates } from './data/cell-state-queries.ts';
import {
  insertSoftware,
  setSoftwareArtifact,
  setSoftwareState,
  type SoftwareArtifact,
} from './data/software-queries.ts';
import type { VersionsDeps } from './versions-deps.ts';
import { queueSoftware } from './software-table/queue-software.ts';

export interface DescribedRelease {
  readonly component: string;
  readonly version: string;
  readonly models: readonly string[];
  readonly channel: string;
  readonly state: SoftwareVersionState;
  readonly releasedDaysAgo: number | null;
  readonly notes: string;
  /** The file that devices install; null if there is none. */
  readonly file: { readonly name: string; readonly content: string } | null;
}

export interface DescribedApproval {
  readonly component: string;
  readonly version: string;
  readonly model: string;
  readonly country: string;
  readonly approvedDaysAgo: number;
  /** Negative: already mandatory. */
  readonly mandatoryInDays: number | null;
}

/** The actor of changes made with the simulated fleet. */
const RECORDED_BY = 'Device Portal';
const DAY_MS = 86_400_000;
const PAST_DAYS = 90;

/** Registers releases, approvals, and the adoption of past days, so that a new portal has data to compare. */
export async function recordReleases(
  { database, clock, files }: VersionsDeps & { readonly files: FileStore },
  described: {
    readonly releases: readonly DescribedRelease[];
    readonly approvals: readonly DescribedApproval[];
  },
): Promise<void> {
  const now = clock();
  const releases = await Promise.all(
    described.releases.map(async (release) => ({
      ...release,
      artifact: release.file === null ? null : await storeFile(files, release.file),
    })),
  );
  await inTransaction(database, async (tx) => {
    for (const release of releases) await recordRelease(tx, release, now);
    for (const approval of described.approvals) await recordApproval(tx, approval, now);
    const components = new Set(described.releases.map(({ component }) => component));
    for (const component of [...components].toSorted()) await refreshCellStates(tx, component);
    await insertPastAdoption(tx, { now, days: PAST_DAYS });
  });
}

/** If the transaction fails, the stored file belongs to no version and is deleted later. */
async function storeFile(
  files: FileStore,
  { name, content }: { readonly name: string; readonly content: string },
): Promise<SoftwareArtifact> {
  const storageKey = randomUUID();
  return { name, storageKey, ...(await files.put(storageKey, Readable.from([content]))) };
}

async function recordRelease(
  tx: Transaction,
  release: DescribedRelease & { readonly artifact: SoftwareArtifact | null },
  now: Date,
): Promise<void> {
  const { component, version, releasedDaysAgo } = release;
  const releasedAt = releasedDaysAgo === null ? now : daysFrom(now, -releasedDaysAgo);
  const isNew = await insertSoftware(tx, {
    ...release,
    releasedAt: releasedDaysAgo === null ? null : releasedAt.toISOString(),
    createdBy: RECORDED_BY,
    createdAt: releasedAt,
  });
  if (!isNew) return;
  await setSoftwareState(tx, release, release.state);
  if (release.artifact !== null) await setSoftwareArtifact(tx, release, release.artifact);
  await queueSoftware(tx, [release]);
  await recordAudit(tx, [
    {
      type: 'version.registered',
      actor: systemActor,
      at: now,
      data: { component, version, state: release.state },
    },
  ]);
}

async function recordApproval(tx: Transaction, approval: DescribedApproval, now: Date) {
  const { component, version, model, country, mandatoryInDays } = approval;
  const mandatoryFrom =
    mandatoryInDays === null ? null : midnightOf(daysFrom(now, mandatoryInDays));
  const isNew = await insertApproval(tx, {
    ...{ component, model, country, version, mandatoryFrom },
    approvedBy: RECORDED_BY,
    approvedAt: daysFrom(now, -approval.approvedDaysAgo),
  });
  if (!isNew) return;
  await recordAudit(tx, [
    {
      type: 'version.approval-set',
      actor: systemActor,
      at: now,
      data: {
        ...{ component, version, model, country, from: null, to: version },
        mandatoryFrom: mandatoryFrom?.toISOString() ?? null,
      },
    },
  ]);
}

function daysFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS);
}

/** Midnight of its day in UTC, which is when users set deadlines. */
function midnightOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS);
}
