import {
  WEB_PAGE_CHUNK_BYTES,
  webPageUpSchema,
  type WebPageDown,
  type WebStreamMessage,
} from '@deviceportal/device-protocol/web-page-message';
import type { DownMessage } from '../gateway/device-transport.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';

type Publish = (messages: readonly DownMessage[]) => void;
type Take = (message: WebStreamMessage) => void;

/** Fits into a notification of the change feed. */
const NOTICE_CHUNK_BYTES = 4 * 1_024;
const MOST_ENDED = 2_000;

interface StreamOf {
  readonly deviceId: string;
  readonly session: string;
  readonly stream: string;
}

/** Messages of web pages to and from devices. */
export interface WebPageLines {
  readonly send: (deviceId: string, message: WebPageDown) => void;
  /** Bytes in one message to a device. */
  readonly chunkBytes: number;
  /** What a device sends for a stream. The key is the device, too: another one can name the same stream. */
  readonly listen: (stream: StreamOf, take: Take) => Disposable;
  /** From a device that serves the session of the message. */
  readonly deliver: (deviceId: string, message: WebStreamMessage) => void;
}

/**
 * A server that serves devices sends to them itself. Others ask the servers that do, by the change
 * feed, and receive responses by it. What arrives twice is ignored.
 */
export class WebPageSender implements WebPageLines, Disposable {
  readonly #changes: ChangeFeed;
  readonly #subscription: Disposable;
  readonly #takers = new Map<string, Take>();
  /** Streams that have ended here: a device that repeats something learns that. */
  readonly #ended = new Set<string>();
  #publish: Publish | undefined;

  constructor(changes: ChangeFeed) {
    this.#changes = changes;
    this.#subscription = changes.subscribe((change) => {
      if (change.kind === 'web-page-down') this.#publish?.([toDown(change)]);
      if (change.kind !== 'web-page-up') return;
      const parsed = webPageUpSchema.safeParse(JSON.parse(change.payload));
      if (parsed.success && 'stream' in parsed.data) this.#take(change.deviceId, parsed.data);
    });
  }

  get chunkBytes(): number {
    return this.#publish === undefined ? NOTICE_CHUNK_BYTES : WEB_PAGE_CHUNK_BYTES;
  }

  /** From now on, this server reaches devices. */
  connect(publish: Publish): void {
    this.#publish = publish;
  }

  send(deviceId: string, message: WebPageDown): void {
    // Only the first message is not repeated.
    const qos = message.kind === 'open' ? 1 : 0;
    const sent = { deviceId, payload: JSON.stringify(message), qos } as const;
    if (this.#publish) this.#publish([toDown(sent)]);
    else this.#changes.publish([{ kind: 'web-page-down', ...sent }]);
  }

  listen(stream: StreamOf, take: Take): Disposable {
    const key = keyOf(stream.deviceId, stream);
    this.#takers.set(key, take);
    return {
      [Symbol.dispose]: () => {
        this.#takers.delete(key);
        const [oldest] = this.#ended;
        if (this.#ended.size >= MOST_ENDED && oldest !== undefined) this.#ended.delete(oldest);
        this.#ended.add(key);
      },
    };
  }

  deliver(deviceId: string, message: WebStreamMessage): void {
    if (this.#take(deviceId, message)) return;
    this.#changes.publish(
      partsOf(message).map((part) => ({
        ...{ kind: 'web-page-up', deviceId },
        payload: JSON.stringify(part),
      })),
    );
  }

  [Symbol.dispose](): void {
    this.#publish = undefined;
    this.#subscription[Symbol.dispose]();
  }

  #take(deviceId: string, message: WebStreamMessage): boolean {
    const { kind, session, stream } = message;
    const key = keyOf(deviceId, message);
    const take = this.#takers.get(key);
    take?.(message);
    if (take !== undefined) return true;
    if (!this.#ended.has(key)) return false;
    if (kind !== 'reset') this.send(deviceId, { kind: 'reset', session, stream });
    return true;
  }
}

const keyOf = (deviceId: string, { session, stream }: Omit<StreamOf, 'deviceId'>): string =>
  `${deviceId}/${session}/${stream}`;

/** Bytes have offsets, so that a message can be divided. */
function partsOf(message: WebStreamMessage): WebStreamMessage[] {
  if (message.kind !== 'data') return [message];
  const bytes = Buffer.from(message.data, 'base64');
  const parts: WebStreamMessage[] = [];
  for (let at = 0; at < bytes.length; at += NOTICE_CHUNK_BYTES) {
    const data = bytes.subarray(at, at + NOTICE_CHUNK_BYTES).toString('base64');
    parts.push({ ...message, offset: message.offset + at, data });
  }
  return parts;
}

const toDown = ({
  deviceId,
  payload,
  qos,
}: Pick<DownMessage, 'deviceId' | 'payload' | 'qos'>): DownMessage => ({
  ...{ deviceId, payload, qos },
  channel: 'web-page',
});
