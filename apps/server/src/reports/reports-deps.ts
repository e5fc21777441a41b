import type { CommandsDeps } from '../commands/commands-deps.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { LinkHolder } from '../platform/person-links.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ReportFormat } from '@deviceportal/contract/reports';

/** What asking for reports and reading them works with. */
export interface ReportsDeps extends Pick<CommandsDeps, 'database' | 'clock' | 'changes'> {
  /** The job exists when, and only when, the transaction commits. */
  readonly startReport: (tx: Transaction, reportId: string) => Promise<void>;
  /** Where the files of reports are kept. */
  readonly userReportsDir: string;
  /** How long they are. */
  readonly reportDays: number;
  /** A link that works for whoever has it: the whole address, for it is sent to others. */
  readonly signShareUrl: (shareId: string, validSeconds: number) => string;
  /** The longest life of such a link. */
  readonly maxLinkSeconds: number;
  /** A signed link to a file of a report for one person, valid for an hour. */
  readonly signUserReportUrl: (
    file: { readonly id: string; readonly format: ReportFormat },
    holder: LinkHolder,
  ) => string;
}

/** What making them works with, on a server that does background work. */
export interface MakeReportDeps
  extends
    Pick<CommandsDeps, 'database' | 'clock' | 'changes' | 'vault'>,
    Pick<ReportsDeps, 'userReportsDir'> {
  /** Who asked for it, with the rights of now; undefined when the portal lets them in no more. */
  readonly findCreator: (creator: {
    readonly createdBySubject: string;
  }) => Promise<Viewer | undefined>;
}
