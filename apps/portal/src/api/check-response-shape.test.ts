import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import { expect, it } from 'vitest';
import { portalErrorOf } from './portal-error-of.ts';
import { createPortalFetch } from './portal-fetch.ts';

async function answering(body: string, status = 200, type = 'application/json') {
  const fetch = createPortalFetch({
    fetch: async () => new Response(body, { status, headers: { 'content-type': type } }),
  });
  const client = createTRPCClient<never>({
    links: [
      httpBatchLink({ url: 'http://portal.invalid/api/trpc', transformer: superjson, fetch }),
    ],
  }) as unknown as { devices: { list: { query: () => Promise<unknown> } } };
  return client.devices.list.query();
}

it.each([
  ['an error without a numeric code', '[{"error":{"json":{"message":"x","code":"no"}}}]'],
  ['a result that is no object', '[{"result":"done"}]'],
  ['neither result nor error', '[{"something":1}]'],
])('%s is badly formatted', async (_what, body) => {
  const error: unknown = await answering(body).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(TRPCClientError);
  expect((error as Error).message).toBe('Badly formatted response from server');
  expect(portalErrorOf(error)).toMatchObject({ code: 2000, unreadable: true });
});

it('a response that the transformer cannot read is reported as such', async () => {
  const body =
    '[{"result":{"data":{"json":{"at":1},"meta":{"values":{"at":[["class","Unheard"]]}}}}}]';
  const error: unknown = await answering(body).catch((cause: unknown) => cause);
  expect((error as Error).message).toBe('Unable to transform response from server');
  expect(portalErrorOf(error)).toMatchObject({ code: 2000, unreadable: true });
});

it('accepts a valid response', async () => {
  await expect(answering('[{"result":{"data":{"json":{"total":3}}}}]')).resolves.toEqual({
    total: 3,
  });
});

it('an error of the server keeps its code, facts, and request ID', async () => {
  const portal = {
    code: 6000,
    name: 'deviceNotFound',
    message: 'device not found',
    issues: [],
    facts: { id: 'x' },
    requestId: 'r-1',
  };
  const body = JSON.stringify([
    { error: { json: { message: 'device not found', code: -32004, data: { portal } } } },
  ]);
  const error: unknown = await answering(body, 404).catch((cause: unknown) => cause);
  expect(portalErrorOf(error)).toMatchObject({ code: 6000, facts: { id: 'x' }, requestId: 'r-1' });
});

it('a failed connection is 2002', async () => {
  const fetch = createPortalFetch({
    fetch: () => Promise.reject(new TypeError('Failed to fetch')),
  });
  const client = createTRPCClient<never>({
    links: [
      httpBatchLink({ url: 'http://portal.invalid/api/trpc', transformer: superjson, fetch }),
    ],
  }) as unknown as { devices: { list: { query: () => Promise<unknown> } } };
  const error: unknown = await client.devices.list.query().catch((cause: unknown) => cause);
  expect(portalErrorOf(error).code).toBe(2002);
});

it.each([
  ['a page', 200, 'text/html', '<!doctype html>', true],
  ['nothing', 200, 'application/json', '', true],
  ['the page of a proxy', 502, 'text/html', '<h1>Bad Gateway</h1>', false],
  ['the page of a proxy', 503, 'text/plain', 'away', false],
  ['the refusal of a proxy', 413, 'text/html', '<h1>Too Large</h1>', false],
])('%s with %i is 2000, not 2002', async (_what, status, type, body, unreadable) => {
  const fetch = createPortalFetch({
    fetch: () => Promise.resolve(new Response(body, { status, headers: { 'content-type': type } })),
  });
  const client = createTRPCClient<never>({
    links: [
      httpBatchLink({ url: 'http://portal.invalid/api/trpc', transformer: superjson, fetch }),
    ],
  }) as unknown as { devices: { list: { query: () => Promise<unknown> } } };
  const error: unknown = await client.devices.list.query().catch((cause: unknown) => cause);
  expect((error as Error).message).toBe('Unable to transform response from server');
  expect(portalErrorOf(error)).toMatchObject({ code: 2000, httpStatus: status, unreadable });
});
