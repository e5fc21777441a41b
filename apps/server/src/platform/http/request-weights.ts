import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onceClosed } from './once-closed.ts';

/** Sizes of requests on the wire in bytes, because chunked bodies do not declare their size. */
export class RequestWeights {
  /** Bytes of earlier requests, per connection. */
  readonly #before = new WeakMap<Socket, number>();

  /**
   * Bytes received on the connection until request and response have ended belong to this request.
   */
  weigh(
    request: IncomingMessage,
    response: ServerResponse,
    onWhole: (bytes: number) => void,
  ): void {
    const { socket } = request;
    let open = 2;
    const close = (): void => {
      open -= 1;
      if (open > 0) return;
      onWhole(this.#bytesOf(request, socket));
      this.#before.set(socket, socket.bytesRead);
    };
    request.once('close', close);
    onceClosed(response, close);
  }

  /** Bytes so far; at least the declared size. */
  of(request: IncomingMessage): number {
    return this.#bytesOf(request, request.socket);
  }

  /** @param socket of the request, which no longer has it after it was destroyed */
  #bytesOf({ headers, url }: IncomingMessage, socket: Socket): number {
    const read = socket.bytesRead - (this.#before.get(socket) ?? 0);
    return Math.max(read, (url?.length ?? 0) + Number(headers['content-length'] ?? 0));
  }
}
