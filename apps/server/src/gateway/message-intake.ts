import { MESSAGE_BYTES_QUOTA, MESSAGE_QUOTA } from '@deviceportal/contract/device-limits';
import { Turn } from '../platform/process/turn.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import type { UpMessage } from './device-transport.ts';
import type { OverflowRecorder } from './record-overflow.ts';

/**
 * Devices behind an external broker are not slowed down, so their messages can arrive in bursts. Messages beyond this
 * factor are lost.
 */
const SLACK = 2;

type Take = (message: UpMessage) => Promise<unknown> | void;

interface Intake {
  readonly take: Take;
  readonly overflow: Pick<OverflowRecorder, 'note'>;
  /** Called with a message at which `take` fails; the others are processed. */
  readonly onError: (message: UpMessage, error: unknown) => void;
  /** Whether the broker slows devices down to their limits (`DeviceThrottle`). */
  readonly isThrottled: boolean;
}

/** Passes messages of devices on, in order, in slices that leave time for other work. */
export class MessageIntake {
  readonly #intake: Intake;
  readonly #messages = new TokenBuckets(withSlack(MESSAGE_QUOTA));
  readonly #bytes = new TokenBuckets(withSlack(MESSAGE_BYTES_QUOTA));
  #turn: Promise<void> = Promise.resolve();

  constructor(intake: Intake) {
    this.#intake = intake;
  }

  /** Resolves when all messages are processed. */
  async take(messages: readonly UpMessage[]): Promise<void> {
    const started = this.#turn.then(() => this.#start(messages));
    this.#turn = started.then(
      () => {},
      () => {},
    );
    await Promise.all(await started);
  }

  async #start(messages: readonly UpMessage[]): Promise<(Promise<unknown> | void)[]> {
    const { take, overflow, onError, isThrottled } = this.#intake;
    const taken: (Promise<unknown> | void)[] = [];
    const turn = new Turn();
    for (const message of messages) {
      try {
        if (isThrottled || this.#isWithin(message))
          taken.push(take(message)?.catch((error: unknown) => onError(message, error)));
        else overflow.note(message.deviceId, 'messages');
      } catch (error) {
        onError(message, error);
      }
      await turn.pause();
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
