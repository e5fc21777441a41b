import type { RunAnswer } from '@deviceportal/contract/run-answers';

export interface RankedAnswer extends RunAnswer {
  /** 1 for the most frequent output. */
  readonly rank: number;
}
