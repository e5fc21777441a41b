import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy between devices and a server that interrupts the first downloads of some files. */
export interface InterruptingProxy extends AsyncDisposable {
  readonly url: string;
  /** The `Range` of each download of such a file, empty for the whole. */
  readonly ranges: readonly string[];
}

export async function openInterruptingProxy(
  target: string,
  breaks: { readonly path: string; readonly times: number; readonly afterBytes: number },
): Promise<InterruptingProxy> {
  const ranges: string[] = [];
  const server = createServer((inward, answer) => {
    const { method, headers, url = '/' } = inward;
    const outward = request(new URL(url, target), { method, headers }, (found: IncomingMessage) => {
      answer.writeHead(found.statusCode ?? 502, found.headers);
      const isMeant = url.startsWith(breaks.path);
      if (isMeant) ranges.push(headers.range ?? '');
      if (!isMeant || ranges.length > breaks.times) {
        found.pipe(answer);
        return;
      }
      let sent = 0;
      found.on('data', (chunk: Buffer) => {
        sent += chunk.length;
        answer.write(chunk, () => {
          if (sent >= breaks.afterBytes) answer.destroy();
        });
      });
    });
    outward.on('error', () => answer.destroy());
    inward.pipe(outward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    ranges,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
