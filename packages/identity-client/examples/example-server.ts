import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { basename, extname, join } from 'node:path';
import { createYesProvider } from './yes-provider.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};
const SCRIPT = 'identity-client.min.js';

/** Serves the example pages. Without your own provider, uses one that accepts every sign-in. */
export function createExampleServer(own: {
  readonly appHost?: string | undefined;
  readonly appId?: string | undefined;
}): Server {
  const provider = createYesProvider();
  return createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
      const page = await readPage(url.pathname, own);
      if (page) {
        response.writeHead(200, { 'content-type': TYPES[extname(page.name)] ?? 'text/plain' });
        response.end(page.text);
        return;
      }
      const { status = 200, headers = {}, body } = provider(url, await readText(request));
      const isText = typeof body === 'string';
      const type = isText ? 'text/html' : 'application/json';
      response.writeHead(status, { 'content-type': type, ...headers });
      response.end(isText ? body : JSON.stringify(body));
    })();
  });
}

async function readPage(
  path: string,
  { appHost, appId }: Parameters<typeof createExampleServer>[0],
): Promise<{ readonly name: string; readonly text: string } | undefined> {
  const name = path === '/' ? 'index.html' : basename(path);
  if (path !== '/' && path !== `/${name}`) return undefined;
  const folder = name === SCRIPT ? '../dist' : '.';
  const text = await readFile(join(import.meta.dirname, folder, name), 'utf8').catch(
    () => undefined,
  );
  if (text === undefined || !TYPES[extname(name)]) return undefined;
  const options = JSON.stringify({ appId, appHost, lang: 'en-US' });
  const isOwn = name === 'page.js' && appHost !== undefined;
  return { name, text: isOwn ? `window.exampleOptions = ${options};\n${text}` : text };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}
