import type { RunAnswer } from '@deviceportal/contract/run-answers';

export interface RankedAnswer extends RunAnswer {
  /** 1 is the most frequent. */
  readonly rank: number;
}
