import { createTRPCClient, httpBatchLink } from '@trpc/client';
import superjson from 'superjson';
import { expect, it } from 'vitest';
import { retryUnstartedLink } from './retry-unstarted-link.ts';

const notStarted = (reason: string) => ({
  error: {
    json: {
      message: 'not started',
      code: -32_603,
      data: { portal: { code: 2000, message: 'not started', issues: [], facts: { reason } } },
    },
  },
});

/** Simulates a server that starts only the first calls of a batch. */
function clientOf(answer: (count: number) => readonly object[] | object) {
  const sizes: number[] = [];
  const fetch = async (url: URL | RequestInfo): Promise<Response> => {
    const names = new URL(String(url)).pathname.split(',');
    sizes.push(names.length);
    return Response.json(answer(names.length));
  };
  const client = createTRPCClient<never>({
    links: [
      retryUnstartedLink as never,
      httpBatchLink({ url: 'http://portal.invalid/api/trpc', transformer: superjson, fetch }),
    ],
  }) as unknown as { devices: { list: { query: () => Promise<unknown> } } };
  return { sizes, ask: () => client.devices.list.query() };
}

const done = { result: { data: { json: 'done' } } };

it('a screen gets all responses when the server starts only some calls of a batch', async () => {
  const { sizes, ask } = clientOf((count) =>
    Array.from({ length: count }, (_, index) => (index < 80 ? done : notStarted('overBudget'))),
  );
  const answers = await Promise.all(Array.from({ length: 250 }, ask));
  expect(answers).toEqual(Array.from({ length: 250 }, () => 'done'));
  expect(sizes[0]).toBe(250);
  expect(Math.max(...sizes.slice(1))).toBeLessThanOrEqual(100);
});

it('a batch that is rejected as a whole is retried in parts', async () => {
  const { sizes, ask } = clientOf((count) =>
    count > 100 ? notStarted('overBudget') : Array.from({ length: count }, () => done),
  );
  await Promise.all(Array.from({ length: 250 }, ask));
  const [first, ...parts] = sizes;
  expect(first).toBe(250);
  // The number of timers that fire together depends on the machine.
  expect(Math.max(...parts)).toBeLessThanOrEqual(100);
  expect(parts.reduce((sum, size) => sum + size, 0)).toBe(250);
});

it('any other error is returned without a retry', async () => {
  const { sizes, ask } = clientOf(() => [notStarted('something else')]);
  await expect(ask()).rejects.toThrow('not started');
  expect(sizes).toEqual([1]);
});
