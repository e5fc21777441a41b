import { setImmediate as nextTurn } from 'node:timers/promises';
import { MESSAGE_BYTES_QUOTA, MESSAGE_QUOTA } from '@deviceportal/contract/device-limits';
import { TokenBuckets } from '../platform/token-buckets.ts';
import type { UpMessage } from './device-transport.ts';
import type { OverflowRecorder } from './record-overflow.ts';

/** Others are served after so long, however many messages have come at once. */
const TURN_MS = 10;
/** The embedded broker slows a device down before it comes to this; behind any other, messages are lost beyond it. */
const SLACK = 2;

type Take = (message: UpMessage) => Promise<void> | void;

/** Hands messages of devices on, in order, in turns that leave time for everybody else. */
export class MessageIntake {
  readonly #take: Take;
  readonly #overflow: Pick<OverflowRecorder, 'note'>;
  readonly #messages = new TokenBuckets(withSlack(MESSAGE_QUOTA));
  readonly #bytes = new TokenBuckets(withSlack(MESSAGE_BYTES_QUOTA));
  #turn: Promise<void> = Promise.resolve();

  constructor(take: Take, overflow: Pick<OverflowRecorder, 'note'>) {
    this.#take = take;
    this.#overflow = overflow;
  }

  /** Resolves when all are dealt with. */
  async take(messages: readonly UpMessage[]): Promise<void> {
    const started = this.#turn.then(() => this.#start(messages));
    this.#turn = started.then(
      () => {},
      () => {},
    );
    await Promise.all(await started);
  }

  async #start(messages: readonly UpMessage[]): Promise<(Promise<void> | void)[]> {
    const taken: (Promise<void> | void)[] = [];
    let turnMs = performance.now();
    for (const message of messages) {
      if (this.#isWithin(message)) taken.push(this.#take(message));
      else this.#overflow.note(message.deviceId, 'messages');
      if (performance.now() - turnMs < TURN_MS) continue;
      await nextTurn();
      turnMs = performance.now();
    }
    return taken;
  }

  #isWithin({ deviceId, payload }: UpMessage): boolean {
    return this.#bytes.of(deviceId).take(payload.byteLength) && this.#messages.of(deviceId).take();
  }
}

const withSlack = ({ burst, perSecond }: typeof MESSAGE_QUOTA) => ({
  burst: burst * SLACK,
  perSecond: perSecond * SLACK,
});
