import type { CommandsDeps } from '../commands/commands-deps.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import type { LinkHolder } from '../platform/person-links.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ReportFormat } from '@deviceportal/contract/reports';

/** Dependencies of requesting and reading reports. */
export interface ReportsDeps extends Pick<CommandsDeps, 'database' | 'clock' | 'changes'> {
  /** Schedules the job in the transaction. */
  readonly startReport: (tx: Transaction, reportId: string) => Promise<void>;
  readonly userReportFiles: FileStore;
  /** Retention of report files, in days. */
  readonly reportDays: number;
  /** A link that works for anyone who has it: an absolute URL, because it is sent to others. */
  readonly signShareUrl: (shareId: string, validSeconds: number) => string;
  /** The maximum validity of such a link. */
  readonly maxLinkSeconds: number;
  /** A signed link to a file of a report for one user, valid for an hour. */
  readonly signUserReportUrl: (
    file: { readonly id: string; readonly format: ReportFormat },
    holder: LinkHolder,
  ) => string;
}

/** Dependencies of creating reports, on a server that runs background work. */
export interface CreateReportDeps
  extends
    Pick<CommandsDeps, 'database' | 'clock' | 'changes' | 'vault'>,
    Pick<ReportsDeps, 'userReportFiles'> {
  /** The creator with current permissions; undefined if the user may no longer use the portal. */
  readonly findCreator: (creator: {
    readonly createdBySubject: string;
  }) => Promise<Viewer | undefined>;
}
