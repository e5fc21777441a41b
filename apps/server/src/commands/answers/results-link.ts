import type { ResultsFormat } from '@deviceportal/contract/run-results';
import type { Scope } from '@deviceportal/contract/permissions';

/** Content of a link to the results of a run. */
export interface ResultsLink {
  readonly runId: string;
  readonly format: ResultsFormat;
  /** Scopes of the link's user when it was created. */
  readonly scopes: readonly Scope[];
}
