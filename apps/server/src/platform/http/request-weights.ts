import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onceClosed } from './once-closed.ts';

/** What requests weigh on the wire, in bytes: a body in chunks does not say how large it is. */
export class RequestWeights {
  /** Of each connection, what belongs to requests before. */
  readonly #before = new WeakMap<Socket, number>();

  /** What the connection brings until both have ended is this request's own. */
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
      onWhole(this.of(request));
      this.#before.set(socket, socket.bytesRead);
    };
    request.once('close', close);
    onceClosed(response, close);
  }

  /** So far; at least what it says of itself. */
  of({ socket, headers, url }: IncomingMessage): number {
    const read = socket.bytesRead - (this.#before.get(socket) ?? 0);
    return Math.max(read, (url?.length ?? 0) + Number(headers['content-length'] ?? 0));
  }
}
