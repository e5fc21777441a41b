/** Starts of agents, cut down to their lock: takes each directory at the time it is told, and keeps it. */

import { lockState } from '../../src/state-lock.ts';

export interface LockOrder {
  readonly directory: string;
  readonly atMs: number;
}

export interface LockAnswer {
  readonly directory: string;
  readonly refusal: string | null;
}

process.on('message', ({ directory, atMs }: LockOrder) => {
  while (Date.now() < atMs);
  const answer = (refusal: string | null) =>
    process.send?.({ directory, refusal } satisfies LockAnswer);
  lockState(directory, 1_000).then(
    () => answer(null),
    (error: Error) => answer(error.message),
  );
});
process.send?.('ready');
