import { createTRPCClient, httpBatchLink } from '@trpc/client';
import superjson from 'superjson';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { portalErrorOf } from './portal-error-of.ts';
import { createPortalFetch } from './portal-fetch.ts';
import { repeatLostLink } from './repeat-lost-link.ts';

const done = [{ result: { data: { json: 'done' } } }];
const refused = [
  {
    error: {
      json: {
        message: 'no',
        code: -32_603,
        data: { portal: { code: 2004, message: 'no', issues: [], facts: {} } },
      },
    },
  },
];
const bodyOf = (answers: readonly object[]): string => JSON.stringify(answers);
const gateway = (status: number): Response =>
  new Response('<html><body>The server is not available.</body></html>', { status });
const connectionLost = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));

type Mutations = Record<string, Record<string, { mutate: (input: unknown) => Promise<unknown> }>>;

/** A portal that answers the calls one after the other. */
function clientOf(...answers: readonly (() => Response | Promise<Response>)[]) {
  const bodies: string[] = [];
  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    bodies.push(String(init?.body));
    return (answers[bodies.length - 1] ?? connectionLost)();
  };
  const client = createTRPCClient<never>({
    links: [
      repeatLostLink as never,
      httpBatchLink({
        ...{ url: 'http://portal.invalid/api/trpc', transformer: superjson },
        fetch: createPortalFetch({ fetch: fetch as typeof globalThis.fetch }),
      }),
    ],
  }) as unknown as Mutations;
  const order = (path: string, input: object): Promise<unknown> => {
    const [noun = '', verb = ''] = path.split('.');
    const procedure = client[noun]?.[verb];
    if (procedure === undefined) throw new Error(`no procedure ${path}`);
    return procedure.mutate(input);
  };
  return { bodies, order };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Longer than all pauses between attempts. */
const ALL_PAUSES_MS = 10_000;

/** With the pauses between its attempts. */
async function ended(order: Promise<unknown>): Promise<unknown> {
  const outcome = order.catch((error: Error) => error);
  // Not until no timer is left: other tests in this process can have timers, too.
  await vi.advanceTimersByTimeAsync(ALL_PAUSES_MS);
  return outcome;
}

it.each([
  ['a connection that ends', connectionLost],
  ['a proxy whose server has gone', () => gateway(502)],
  ['a proxy that knows no server', () => gateway(503)],
])('a run is requested again with the same key after %s', async (_what, lost) => {
  const { bodies, order } = clientOf(lost, () => new Response(bodyOf(done)));
  const input = { command: 'uptime', idempotencyKey: '5ff6ba54-0d8e-4c39-9f39-6dc3a8c8a4a5' };
  expect(await ended(order('commands.run', input))).toBe('done');
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toBe(bodies[0]);
});

it('a change that sets a value is sent again', async () => {
  const { bodies, order } = clientOf(connectionLost, () => new Response(bodyOf(done)));
  expect(await ended(order('session.savePreferences', { theme: 'dark' }))).toBe('done');
  expect(bodies).toHaveLength(2);
});

it('a change that could be made twice is not sent again, and its error says that the outcome is unknown', async () => {
  const { bodies, order } = clientOf(connectionLost);
  expect(portalErrorOf(await ended(order('devices.addNote', { text: 'new cable' })))).toMatchObject(
    {
      name: 'httpUnknown',
      facts: { reason: 'outcomeUnknown' },
    },
  );
  expect(bodies).toHaveLength(1);
});

it('a rejection by the portal is not sent again', async () => {
  const { bodies, order } = clientOf(() => new Response(bodyOf(refused), { status: 400 }));
  expect(portalErrorOf(await ended(order('cases.open', { personId: 'x' })))).toMatchObject({
    code: 2004,
    facts: {},
  });
  expect(bodies).toHaveLength(1);
});

it('without any server, the error is returned after three attempts', async () => {
  const { bodies, order } = clientOf();
  expect(await ended(order('cases.open', { personId: 'x' }))).toBeInstanceOf(Error);
  expect(bodies).toHaveLength(3);
});
