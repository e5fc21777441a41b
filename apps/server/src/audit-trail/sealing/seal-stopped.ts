/** Why no block is added to the chain. */
export type SealStopReason =
  /** The newest block is not signed by a key of this installation. */
  | 'unsigned'
  /** The newest block is not what its hash says, or its events are not those of its root. */
  | 'resealed'
  /** The clocks of the database and of this server differ: times of events cannot be checked. */
  | 'clock';

const sentences: Readonly<Record<SealStopReason, string>> = {
  unsigned: 'the newest block is not signed by a key of this installation',
  resealed: 'the newest block was changed after it was sealed',
  clock: 'the clocks of the database and of this server differ by more than 5 minutes',
};

/** Nothing is sealed until an operator has looked; events wait in the queue. */
export class SealStopped extends Error {
  readonly reason: SealStopReason;
  /** Number of the newest block; 0 where there is none. */
  readonly block: number;

  constructor(reason: SealStopReason, block: number) {
    super(`audit trail sealing has stopped: ${sentences[reason]} (block ${block})`);
    this.name = 'SealStopped';
    this.reason = reason;
    this.block = block;
  }
}
