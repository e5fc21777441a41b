import type { Scope } from '@deviceportal/contract/permissions';
import type { ResultsFormat } from '@deviceportal/contract/run-results';

/** What a link to a report shows. */
export interface ReportLink {
  readonly id: string;
  readonly format: ResultsFormat;
  /** Where its holder could see devices when it was made, and whether people's names. */
  readonly scopes: readonly Scope[];
  readonly seesNames: boolean;
}
