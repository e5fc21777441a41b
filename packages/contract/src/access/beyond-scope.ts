/** The reason in the facts of a 1000 where the right is held, but not on everything that the act is about. */
export const BEYOND_SCOPE = 'beyondScope';

export interface BeyondScopeFacts {
  readonly reason: typeof BEYOND_SCOPE;
  /** What reaches beyond the scope. */
  readonly beyondScope: 'run';
  readonly permission: string;
}
