import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { systemClock } from '../../src/core/clock.ts';
import { bundleScript } from './bundle-script.ts';
import { launchChromium } from './launch-chromium.ts';
import { createRecordedProvider, HOST, type RecordedProvider } from './recorded-provider.ts';
import type { VectorCase } from './vector-case.ts';

/**
 * An application on a sibling of the provider's host: a different origin on the same site, so
 * cookies are sent.
 */
export const APP_HOST = 'http://app.provider.example';
export const EVIL_HOST = 'http://evil.example';

/**
 * A browser that resolves all hosts to a local server, which acts as the provider of one case at a
 * time.
 */
export interface TestBrowser extends AsyncDisposable {
  readonly browser: Browser;
  /** The script that defines `identityClient`. */
  readonly script: string;
  play(entry: VectorCase): RecordedProvider;
}

export async function openTestBrowser(): Promise<TestBrowser> {
  let provider: RecordedProvider | undefined;
  const server = createServer((request, response) => {
    void answer(provider, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const browser = await launch(port);
  return {
    browser,
    script: await bundleScript(),
    play: (entry) => {
      provider = createRecordedProvider(entry, systemClock);
      return provider;
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

function launch(port: number): Promise<Browser> {
  const hosts = [HOST, APP_HOST, EVIL_HOST].map((host) => new URL(host).host);
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1:${port}`).join(', ');
  return launchChromium([`--host-resolver-rules=${rules}`]);
}

async function answer(
  provider: RecordedProvider | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const origin = request.headers.origin;
  if (origin !== undefined) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-credentials', 'true');
    const wanted = request.headers['access-control-request-headers'];
    if (wanted) response.setHeader('access-control-allow-headers', wanted);
  }
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  const url = request.url ?? '/';
  if (url === '/__page') return sendPage(response, '<body></body>');
  if (url === '/qr.png')
    return void response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
  if (url === '/favicon.ico' || provider === undefined) return void response.writeHead(404).end();
  const body = await readBody(request);
  try {
    const found = await provider.fetch(`${HOST}${url}`, {
      method: request.method ?? 'GET',
      headers: request.headers as Record<string, string>,
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    const cookie = found.headers.get('set-cookie');
    if (cookie) response.setHeader('set-cookie', cookie);
    response.writeHead(found.status, { 'content-type': found.headers.get('content-type') ?? '' });
    response.end(await found.text());
  } catch {
    response.destroy();
  }
}

function sendPage(response: ServerResponse, html: string): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end(html);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
