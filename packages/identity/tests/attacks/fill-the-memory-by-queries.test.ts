import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProvider, type OpenProvider } from '../provider/support/open-provider.ts';

const MEBIBYTE = 1_048_576;

let idp: OpenProvider;
beforeAll(async () => {
  idp = await openProvider();
});
afterAll(() => idp[Symbol.asyncDispose]());

const ask = async (query: string): Promise<string> => {
  const reply = await fetch(`${idp.host}/graphql/v2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return reply.text();
};

/** A query of half a mebibyte, each time another one. */
const large = (number: number): string =>
  `{${Array.from({ length: 90_000 }, (_, field) => `f${field}`).join(' ')} q${number}}`;

function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test('an attacker cannot exhaust memory by distinct queries', async () => {
  await ask(large(0));
  const before = heldBytes();
  for (let number = 1; number <= 6; number += 1)
    expect(await ask(large(number))).toContain('The query is too large.');
  expect(heldBytes() - before).toBeLessThan(32 * MEBIBYTE);
});

test('an attacker cannot exhaust memory by many small queries', async () => {
  const names = Array.from({ length: 1_500 }, (_, field) => `f${field}`).join(' ');
  await ask(`{${names}}`);
  const before = heldBytes();
  for (let number = 1; number <= 200; number += 1) await ask(`{${names} q${number}}`);
  expect(heldBytes() - before).toBeLessThan(32 * MEBIBYTE);
});
