import type { Scope } from '@deviceportal/contract/permissions';
import type { ResultsFormat } from '@deviceportal/contract/run-results';

/** The content of a signed link to a report. */
export interface ReportLink {
  readonly id: string;
  readonly format: ResultsFormat;
  /** Where its holder could see devices, and whether they could see names, when it was created. */
  readonly scopes: readonly Scope[];
  readonly seesNames: boolean;
}
