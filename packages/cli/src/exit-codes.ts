/** Exit codes, for scripts. Documented in the README. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  notSignedIn: 3,
  denied: 4,
  notFound: 5,
  rejected: 6,
  unavailable: 7,
  /** Outcomes of a run. */
  runFailed: 10,
  runTimedOut: 11,
  runCanceled: 12,
  /** The run has not ended within the time to wait. */
  runNotEnded: 13,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
