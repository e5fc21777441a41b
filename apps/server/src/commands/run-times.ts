import { DEFAULT_EXECUTION_TIMEOUT_SECONDS } from '@deviceportal/contract/constants';

/** The deadline for delivery, and the time after which the run has ended in any case. */
export interface RunTimes {
  readonly deliverBefore: Date;
  readonly expiresAt: Date;
}

export function timesOf(from: Date, timeoutSeconds: number): RunTimes {
  const deliverBefore = new Date(from.getTime() + timeoutSeconds * 1_000);
  return {
    deliverBefore,
    expiresAt: new Date(deliverBefore.getTime() + DEFAULT_EXECUTION_TIMEOUT_SECONDS * 1_000),
  };
}
