import type { BackupsView } from '@deviceportal/contract/backups';

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** Scheduled backups of an embedded database that work. */
export const workingBackups = (): BackupsView => ({
  ...{ place: 's3://company-backups/device-portal', database: 'embedded', keptDays: 14 },
  ...{ everyMs: 86_400_000, changesEveryMs: 60_000, problem: null },
  last: { at: ago(190), bytes: 1_840_000_000, durationMs: 252_000 },
  restorable: { from: ago(20_160), until: ago(1) },
  ...{ nextAt: ago(-1_250), runningSince: null, requestedAt: null, triedAt: ago(12_000) },
  attempts: [
    {
      ...{ startedAt: ago(194), endedAt: ago(190), bytes: 1_840_000_000 },
      ...{ fault: null, count: 1, isRequested: false },
    },
    {
      ...{ startedAt: ago(1_620), endedAt: ago(1_616), bytes: 1_836_000_000 },
      ...{ fault: null, count: 1, isRequested: true },
    },
    {
      ...{ startedAt: ago(1_640), endedAt: ago(1_636), bytes: null },
      fault: { reason: 'interrupted', text: 'interrupted' },
      ...{ count: 1, isRequested: false },
    },
  ],
});

/** The backup location has been full for half an hour. */
export function failingBackups(): BackupsView {
  const working = workingBackups();
  const fault = {
    reason: 'no-space',
    text: "ENOSPC: no space left on device, write '/mnt/backups/20260102T030405Z-1f2e3d4c/copies/20260103T030405Z.cluster'",
  } as const;
  return {
    ...working,
    ...{ place: '/mnt/backups', triedAt: null },
    problem: { kind: 'failed', since: ago(31), fault },
    attempts: [
      {
        ...{ startedAt: ago(31), endedAt: ago(1), bytes: null, fault },
        ...{ count: 30, isRequested: false },
      },
      ...working.attempts,
    ],
  };
}
