import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An application on another origin than the provider's. */
export interface OpenApplication extends AsyncDisposable {
  readonly origin: string;
}

/** Serves one page, whatever is asked for. */
export async function openApplication(): Promise<OpenApplication> {
  const server = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><title>An application</title><div id="qr"></div>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
