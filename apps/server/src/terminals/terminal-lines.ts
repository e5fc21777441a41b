import type { TerminalDown } from '@deviceportal/device-protocol/terminal-message';
import type { DownMessage } from '../gateway/device-transport.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import { RecentOutput } from './recent-output.ts';

/** Sends messages of terminals to devices. */
export interface TerminalLines {
  readonly send: (deviceId: string, message: TerminalDown) => void;
}

type Publish = (messages: readonly DownMessage[]) => void;

/**
 * A server that serves devices sends to them itself. Others ask the servers that do, by the change
 * feed; a device ignores what it receives twice.
 */
export class TerminalSender implements TerminalLines, Disposable {
  /** What devices have sent to this server. */
  readonly recent = new RecentOutput();
  readonly #changes: ChangeFeed;
  readonly #subscription: Disposable;
  #publish: Publish | undefined;

  constructor(changes: ChangeFeed) {
    this.#changes = changes;
    this.#subscription = changes.subscribe((change) => {
      if (change.kind === 'terminal-down') this.#publish?.([toDown(change)]);
    });
  }

  /** From now on, this server reaches devices. */
  connect(publish: Publish): void {
    this.#publish = publish;
  }

  send(deviceId: string, message: TerminalDown): void {
    // Only the first message is not repeated.
    const qos = message.kind === 'open' ? 1 : 0;
    const sent = { deviceId, payload: JSON.stringify(message), qos } as const;
    if (this.#publish) this.#publish([toDown(sent)]);
    else this.#changes.publish([{ kind: 'terminal-down', ...sent }]);
  }

  [Symbol.dispose](): void {
    this.#publish = undefined;
    this.#subscription[Symbol.dispose]();
  }
}

type Sent = Pick<DownMessage, 'deviceId' | 'payload' | 'qos'>;

const toDown = ({ deviceId, payload, qos }: Sent): DownMessage => ({
  ...{ deviceId, payload, qos },
  channel: 'terminal',
});
