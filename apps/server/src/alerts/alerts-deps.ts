import type { TextVault } from '../commands/output/text-vault.ts';
import type { NoticeQueue } from '../messages/notice-queue.ts';
import type { Database } from '../platform/database/database.ts';
import type { InternalHosts } from '../platform/outside/internal-hosts.ts';
import type { Viewer } from '../platform/viewer.ts';

export interface AlertsDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly publicUrl: string;
  readonly alerts: {
    /** Seals what destinations keep secret. */
    readonly vault: TextVault;
    readonly internalHosts: InternalHosts;
  };
  readonly notices: NoticeQueue;
}

export interface EvaluateAlertsDeps extends Pick<AlertsDeps, 'database' | 'clock'> {
  /** A user with current permissions, by `sub`; undefined without access to the portal. */
  readonly findOwner: (subject: string) => Promise<Viewer | undefined>;
  readonly onError: (error: unknown, ruleId: string) => void;
}
