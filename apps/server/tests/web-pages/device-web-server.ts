import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const BIG = randomBytes(10 * 1_024 * 1_024);

export interface DeviceWebServer extends AsyncDisposable {
  readonly port: number;
  /** Requests as the web server of the device sees them. */
  readonly seen: { readonly method: string; readonly url: string; readonly raw: string[] }[];
  /** Requests whose responses have not ended. */
  readonly open: () => number;
}

type Route = (request: IncomingMessage, response: ServerResponse, port: number) => void;

const routes: Readonly<Record<string, Route>> = {
  '/': (_request, response) =>
    void response
      .setHeader('content-type', 'text/html')
      .end(
        '<link rel="stylesheet" href="/style.css"><img src="/dot.png" alt=""><form method="post" action="/form"><input name="name"><button>Save</button></form>',
      ),
  '/style.css': (_request, response) =>
    void response.setHeader('content-type', 'text/css').end('body { color: red; }'),
  '/form': (request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => response.end(`saved ${text}`));
  },
  '/sign-in': (_request, response) =>
    void response
      .setHeader('set-cookie', [
        'sid=abc; Domain=localhost; Path=/; HttpOnly',
        'deviceportal-page=stolen; Path=/',
        '__Host-deviceportal-page=stolen; Path=/; Secure',
      ])
      .end('signed in'),
  '/moved': (_request, response, port) =>
    void response.writeHead(302, { location: `http://127.0.0.1:${port}/form?x=1` }).end(),
  '/elsewhere': (_request, response) =>
    void response.writeHead(302, { location: 'https://example.org/' }).end(),
  '/big': (_request, response) => void response.setHeader('content-length', BIG.length).end(BIG),
  '/echo': (request, response) =>
    void response.end(JSON.stringify({ url: request.url, headers: request.headers })),
  '/reaching': (_request, response) =>
    void response
      .setHeader('clear-site-data', '"cookies"')
      .setHeader('strict-transport-security', 'max-age=1; includeSubDomains')
      .setHeader('alt-svc', 'h2="evil.example:443"')
      .setHeader('access-control-allow-origin', '*')
      .setHeader('content-security-policy', "default-src 'self'")
      .end('reaching'),
  '/endless': (_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1_024)));
    };
    response.on('drain', more);
    more();
  },
  '/silent': () => {},
};

/** A small web server, such as devices have. */
export async function openDeviceWebServer(): Promise<DeviceWebServer> {
  const seen: { method: string; url: string; raw: string[] }[] = [];
  let open = 0;
  let port = 0;
  const server = createServer((request, response) => {
    const { method = '', url = '', rawHeaders: raw } = request;
    seen.push({ method, url, raw });
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    const route = routes[new URL(url, 'http://device').pathname];
    if (route === undefined) response.writeHead(404).end('not here');
    else route(request, response, port);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  ({ port } = server.address() as AddressInfo);
  return {
    ...{ port, seen, open: () => open },
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}
