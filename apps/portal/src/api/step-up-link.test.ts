import { createTRPCClient, httpBatchLink } from '@trpc/client';
import superjson from 'superjson';
import { beforeEach, expect, it } from 'vitest';
import { createStepUpLink, type StepUpWait } from './step-up-link.ts';

const refused = {
  error: {
    json: {
      message: 'confirm',
      code: -32_603,
      data: {
        portal: {
          ...{ code: 1000, message: 'confirm', issues: [], reason: 'step-up-required' },
          facts: { purpose: 'destroys', methods: 'email' },
        },
      },
    },
  },
};
const done = { result: { data: { json: 'done' } } };

interface Call {
  readonly mutate: (input: unknown, options?: { signal: AbortSignal }) => Promise<unknown>;
}

let isConfirmed = false;
let waits: StepUpWait[] = [];
const requests: { readonly names: readonly string[]; readonly body: unknown }[] = [];
beforeEach(() => {
  isConfirmed = false;
  waits = [];
  requests.length = 0;
});

const client = createTRPCClient<never>({
  links: [
    createStepUpLink((wait) => {
      waits.push(wait);
      return () => void (waits = waits.filter((each) => each !== wait));
    }) as never,
    httpBatchLink({
      url: 'http://portal.invalid/api/trpc',
      transformer: superjson,
      fetch: async (url, init) => {
        const names = new URL(String(url)).pathname.replace('/api/trpc/', '').split(',');
        requests.push({ names, body: JSON.parse(String(init?.body)) });
        return Response.json(
          names.map((name) => (name === 'devices.retire' && !isConfirmed ? refused : done)),
        );
      },
    }),
  ],
}) as unknown as { devices: { retire: Call; update: Call } };

const untilWaiting = async (count: number): Promise<void> => {
  await expect.poll(() => waits.length).toBe(count);
};

it('only the rejected calls of a batch are repeated, with the same input', async () => {
  const answers = Promise.all([
    client.devices.retire.mutate({ id: 'a' }),
    client.devices.update.mutate({ id: 'b' }),
    client.devices.retire.mutate({ id: 'c' }),
  ]);
  await untilWaiting(2);
  expect(waits.map(({ purpose }) => purpose)).toEqual(['destroys', 'destroys']);
  isConfirmed = true;
  for (const { onConfirmed } of waits) onConfirmed();
  expect(await answers).toEqual(['done', 'done', 'done']);
  expect(requests[1]).toMatchObject({
    names: ['devices.retire', 'devices.retire'],
    body: { '0': { json: { id: 'a' } }, '1': { json: { id: 'c' } } },
  });
});

it('a call fails with its reason when the user declines', async () => {
  const answer = client.devices.retire.mutate({ id: 'a' });
  await untilWaiting(1);
  waits[0]?.onDeclined();
  await expect(answer).rejects.toThrow('confirm');
  expect(requests).toHaveLength(1);
});

it('asks again when the confirmation was not sufficient', async () => {
  const answer = client.devices.retire.mutate({ id: 'a' });
  await untilWaiting(1);
  waits[0]?.onConfirmed();
  await untilWaiting(2);
  isConfirmed = true;
  waits[1]?.onConfirmed();
  expect(await answer).toBe('done');
});

it('a call whose screen has gone no longer waits', async () => {
  const screen = new AbortController();
  const answer = client.devices.retire.mutate({ id: 'a' }, { signal: screen.signal });
  await untilWaiting(1);
  screen.abort();
  await expect(answer).rejects.toThrow('confirm');
  await untilWaiting(0);
});
