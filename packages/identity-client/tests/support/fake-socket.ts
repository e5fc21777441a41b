import type { Clock } from '../../src/core/clock.ts';

/** Server behavior for each connection. */
export interface SocketReply {
  readonly accept?: boolean;
  readonly reject?: number;
  readonly closeAfterMs?: number;
  readonly messages?: readonly { readonly afterMs: number; readonly data: unknown }[];
}

/** A WebSocket class whose server replies from the list. The last reply repeats. */
export function createFakeSockets(
  clock: Clock,
  replies: readonly SocketReply[],
): {
  readonly WebSocket: typeof globalThis.WebSocket;
  readonly urls: string[];
  readonly times: number[];
} {
  const urls: string[] = [];
  const times: number[] = [];
  class FakeSocket extends EventTarget {
    constructor(url: string | URL) {
      super();
      const reply = replies[Math.min(urls.length, replies.length - 1)] ?? {};
      urls.push(String(url));
      times.push(clock.now());
      clock.setTimeout(() => this.#begin(reply), 0);
    }

    #begin(reply: SocketReply): void {
      if (reply.reject !== undefined) {
        this.dispatchEvent(new Event('error'));
        this.dispatchEvent(new Event('close'));
        return;
      }
      this.dispatchEvent(new Event('open'));
      for (const { afterMs, data } of reply.messages ?? []) {
        clock.setTimeout(() => this.dispatchEvent(new MessageEvent('message', { data })), afterMs);
      }
      if (reply.closeAfterMs !== undefined) {
        clock.setTimeout(() => this.dispatchEvent(new Event('close')), reply.closeAfterMs);
      }
    }

    close(): void {
      this.dispatchEvent(new Event('close'));
    }
  }
  return { WebSocket: FakeSocket as unknown as typeof globalThis.WebSocket, urls, times };
}
