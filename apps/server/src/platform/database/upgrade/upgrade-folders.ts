import { join } from 'node:path';

/** Folders in the data folder during an upgrade. */
export interface UpgradeFolders {
  readonly current: string;
  /** Until it is complete. */
  readonly draft: string;
  /** Complete, and to become the current one. */
  readonly next: string;
  /** The cluster before the upgrade. */
  readonly before: (major: number) => string;
  /** The rows on their way. */
  readonly rows: string;
}

export const upgradeFolders = (dataDir: string): UpgradeFolders => ({
  current: join(dataDir, 'postgres'),
  draft: join(dataDir, 'postgres-upgrade'),
  next: join(dataDir, 'postgres-upgraded'),
  before: (major) => join(dataDir, `postgres-${major}`),
  rows: join(dataDir, 'postgres-upgrade.rows'),
});
