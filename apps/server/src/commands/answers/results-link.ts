import type { ResultsFormat } from '@deviceportal/contract/run-results';
import type { Scope } from '@deviceportal/contract/permissions';

/** What a link to the results of a run shows. */
export interface ResultsLink {
  readonly runId: string;
  readonly format: ResultsFormat;
  /** What its holder could see when it was made. */
  readonly scopes: readonly Scope[];
}
