import { Gauge } from 'prom-client';
import { findUsersWithPermission } from '../access/data/users-with-permission.ts';
import { notify } from '../notifications/notify.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { Metrics } from '../platform/metrics.ts';
import { repeat } from '../platform/process/repeat.ts';
import type { ReadinessBoard } from '../platform/readiness-board.ts';
import { findBackupProblem, type BackupProblem, type BackupSchedule } from './backup-problem.ts';
import { readBackupStatus, type BackupStatus } from './backup-status.ts';

const LOOK_EVERY_MS = 10_000;

export interface BackupWatchDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly metrics: Metrics;
  readonly readiness: ReadinessBoard;
  readonly clock: () => Date;
  readonly schedule: BackupSchedule;
  readonly onError: (error: unknown) => void;
}

/** Shows how old the newest backup is, and notifies administrators of one that failed or is overdue. */
export function watchBackups(deps: BackupWatchDeps): AsyncDisposable {
  const { database, metrics, readiness, clock, schedule, onError } = deps;
  const note = readiness.note('backups');
  const since = clock();
  const gauge = new Gauge({
    name: 'deviceportal_backup_age_seconds',
    help: 'Age of the newest complete backup, and of the newest change that is not yet in the backup location.',
    labelNames: ['part'],
    registers: [metrics.registry],
  });
  return repeat(
    async () => {
      const [now, status] = [clock(), await readBackupStatus(database.orm)];
      measure(gauge, status, now);
      const problem = findBackupProblem({ status, since, now }, schedule);
      if (problem === undefined) return note.up();
      note.down(problem.line);
      await announce(deps, problem);
    },
    { everyMs: LOOK_EVERY_MS, onError },
  );
}

function measure(gauge: Gauge<'part'>, status: BackupStatus | undefined, now: Date): void {
  const ageOf = (at: string): number => (now.getTime() - new Date(at).getTime()) / 1_000;
  if (status?.last != null) gauge.set({ part: 'complete' }, ageOf(status.last.at));
  if (status?.changesUntil != null) gauge.set({ part: 'changes' }, ageOf(status.changesUntil));
}

/** Once for each problem, also with several servers. */
async function announce(
  { database, changes }: Pick<BackupWatchDeps, 'database' | 'changes'>,
  { subject, line }: BackupProblem,
): Promise<void> {
  const news = await inTransaction(database, async (tx) => {
    const people = await findUsersWithPermission(tx, 'access:manage');
    return notify(
      tx,
      people.map(({ userId }) => ({
        userId,
        kind: 'backup-failed' as const,
        subject,
        facts: { reason: line },
      })),
    );
  });
  changes.publish(news);
}
