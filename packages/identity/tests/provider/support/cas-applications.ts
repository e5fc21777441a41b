import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

// Both are written for CommonJS, and their types want those of servers that are not used here.
const require = createRequire(import.meta.url);
const casClient = require('http-cas-client') as (options: {
  readonly cas: 2 | 3;
  readonly casServerUrlPrefix: string;
  readonly serverName: string;
}) => (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
const { Strategy } = require('@coursetable/passport-cas') as {
  Strategy: new (
    options: {
      readonly version: string;
      readonly ssoBaseURL: string;
      readonly serverBaseURL: string;
    },
    verify: (login: unknown, done: (error: unknown, user: unknown) => void) => void,
  ) => { authenticate(request: object): void };
};

/** A web application of somebody else that signs its people in by CAS. */
export interface CasApplication extends AsyncDisposable {
  /** Its only page, which says as JSON who it believes is there. */
  readonly url: string;
  /** How often it was told that somebody has signed out. */
  readonly told: () => number;
}

/** Starts listening before the provider, which must know the address; the library is given the provider's afterwards. */
export interface StartedCasApplication extends CasApplication {
  connect(casServerUrlPrefix: string): void;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** An application with `http-cas-client`: sessions in a cookie, single logout. */
export async function startCasClientApplication(cas: 2 | 3): Promise<StartedCasApplication> {
  return start((prefix, origin) => {
    const admit = casClient({ cas, casServerUrlPrefix: prefix, serverName: origin });
    return async (request, response) => {
      if (!(await admit(request, response))) return void response.end();
      const { principal } = request as IncomingMessage & { principal: unknown };
      response.end(JSON.stringify(principal));
    };
  });
}

/** An application with the strategy `@coursetable/passport-cas`, which passport calls as is done here. */
export async function startPassportApplication(version: string): Promise<StartedCasApplication> {
  return start((prefix, origin) => async (request, response) => {
    const strategy = new Strategy(
      { version, ssoBaseURL: prefix, serverBaseURL: origin },
      (login, done) => done(null, login),
    );
    const { searchParams } = new URL(request.url ?? '/', origin);
    await new Promise<void>((resolve) => {
      const end = (status: number, body: unknown): void => {
        response.writeHead(status).end(JSON.stringify(body));
        resolve();
      };
      const acts = {
        redirect: (location: string) => {
          response.setHeader('location', location);
          end(302, '');
        },
        success: (user: unknown) => end(200, user),
        fail: () => end(401, 'refused'),
        error: (error: Error) => end(401, String((error.cause as Error | undefined)?.message)),
      };
      const query = Object.fromEntries(searchParams);
      const { headers, url } = request;
      Object.assign(strategy, acts).authenticate({ headers, url, originalUrl: url, query });
    });
  });
}

async function start(
  open: (prefix: string, origin: string) => Handle,
): Promise<StartedCasApplication> {
  let handle: Handle | undefined;
  let told = 0;
  const server: Server = createServer((request, response) => {
    if (request.method === 'POST') told += 1;
    handle?.(request, response).catch((error: unknown) => {
      response.writeHead(401).end(error instanceof Error ? error.message : String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/`,
    told: () => told,
    connect: (prefix) => {
      handle = open(prefix, origin);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
