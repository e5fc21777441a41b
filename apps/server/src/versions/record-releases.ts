import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import type { SoftwareVersionState } from '@deviceportal/contract/states';
import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { SoftwareFiles } from './software-files/software-files.ts';
import {
  insertSoftware,
  refreshCellStates,
  setSoftwareArtefact,
  setSoftwareState,
  type SoftwareArtefact,
} from './software-store.ts';
import type { VersionsDeps } from './versions-deps.ts';

export interface DescribedRelease {
  readonly component: string;
  readonly version: string;
  readonly models: readonly string[];
  readonly channel: string;
  readonly state: SoftwareVersionState;
  readonly releasedDaysAgo: number | null;
  readonly notes: string;
  /** What devices install; null where there is none. */
  readonly file: { readonly name: string; readonly content: string } | null;
}

export interface DescribedApproval {
  readonly component: string;
  readonly version: string;
  readonly model: string;
  readonly country: string;
  readonly approvedDaysAgo: number;
  /** Negative: it is mandatory already. */
  readonly mandatoryInDays: number | null;
}

/** Who is named for what came with the simulated fleet. */
const RECORDED_BY = 'Device Portal';
const DAY_MS = 86_400_000;
const PAST_DAYS = 90;

/** Puts releases, approvals and the adoption of the days before on record, so that a new portal has something to compare. */
export async function recordReleases(
  { database, clock, files }: VersionsDeps & { readonly files: SoftwareFiles },
  described: {
    readonly releases: readonly DescribedRelease[];
    readonly approvals: readonly DescribedApproval[];
  },
): Promise<void> {
  const now = clock();
  const releases = await Promise.all(
    described.releases.map(async (release) => ({
      ...release,
      artefact: release.file === null ? null : await storeFile(files, release.file),
    })),
  );
  await inTransaction(database, async (tx) => {
    for (const release of releases) await recordRelease(tx, release, now);
    for (const approval of described.approvals) await recordApproval(tx, approval, now);
    const components = new Set(described.releases.map(({ component }) => component));
    for (const component of [...components].toSorted()) await refreshCellStates(tx, component);
    await recordPastAdoption(tx, now);
  });
}

/** Where the transaction fails, what was stored belongs to no version and is deleted by and by. */
async function storeFile(
  files: SoftwareFiles,
  { name, content }: { readonly name: string; readonly content: string },
): Promise<SoftwareArtefact> {
  const storageKey = randomUUID();
  const bytes = Buffer.from(content);
  await files.writePart(storageKey, { start: 0, end: bytes.length - 1 }, Readable.from([bytes]));
  return { name, storageKey, ...(await files.finishPart(storageKey)) };
}

async function recordRelease(
  tx: Transaction,
  release: DescribedRelease & { readonly artefact: SoftwareArtefact | null },
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
  if (release.artefact !== null) await setSoftwareArtefact(tx, release, release.artefact);
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
    mandatoryInDays === null ? null : midnightOf(daysFrom(now, mandatoryInDays)).toISOString();
  const approvedAt = daysFrom(now, -approval.approvedDaysAgo).toISOString();
  const inserted = await tx.execute(sql`
    insert into version_approval (component, model, country, version, approved_by, approved_at, mandatory_from)
    values (${component}, ${model}, ${country}, ${version}, ${RECORDED_BY}, ${approvedAt}, ${mandatoryFrom})
    on conflict do nothing`);
  if (inserted.rowCount !== 1) return;
  await recordAudit(tx, [
    {
      type: 'version.approval-set',
      actor: systemActor,
      at: now,
      data: { component, version, model, country, mandatoryFrom, from: null, to: version },
    },
  ]);
}

/** How far each version had spread at the end of each day, from what devices ran then. */
async function recordPastAdoption(tx: Transaction, now: Date): Promise<void> {
  await tx.execute(sql`
    with ran as (
      select h.device_id, h.component, h.version, h.at,
        lead(h.at) over (partition by h.device_id, h.component order by h.at, h.id) as until
      from device_version_history h),
    days as (
      select (day + interval '1 day') as over, day::date as day
      from generate_series(
        date_trunc('day', ${now.toISOString()}::timestamptz at time zone 'UTC') - make_interval(days => ${PAST_DAYS}),
        date_trunc('day', ${now.toISOString()}::timestamptz at time zone 'UTC') - interval '1 day', interval '1 day') day)
    insert into version_adoption (component, day, version, model, country, devices)
    select r.component, days.day, r.version, coalesce(d.model, ''), coalesce(d.country, ''), count(*)
    from days
    join ran r on r.at < days.over at time zone 'UTC' and (r.until is null or r.until >= days.over at time zone 'UTC')
      and r.version is not null
    join device d on d.id = r.device_id and d.lifecycle <> 'retired'
    group by 1, 2, 3, 4, 5
    on conflict do nothing`);
}

function daysFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS);
}

/** Of its day in UTC, as people set it. */
function midnightOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS);
}
