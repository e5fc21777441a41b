import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withIdempotency, type Repetition } from '../../src/api-tokens/with-idempotency.ts';
import type { KeySource } from '../../src/platform/secrets/derived-keys.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let portal: TestDatabase;

beforeAll(async () => {
  portal = await createTestDatabase();
});
afterAll(() => portal[Symbol.asyncDispose]());

const content = ['createRun', {}, { parameters: { password: 'hunter2' } }];
const [before, after] = [randomBytes(32), randomBytes(32)];

/** Sends a request, and returns what its work is told of earlier ones. */
const send = (
  requestKeys: KeySource,
  request: { readonly tokenId: string; readonly key: string; readonly content?: unknown },
): Promise<Repetition> =>
  withIdempotency(
    { database: portal.database, requestKeys },
    { content, ...request },
    async (repetition) => repetition,
  );

test('a request is stored as a digest that cannot be computed without the key of the installation', async () => {
  const request = { tokenId: randomUUID(), key: 'secret' };
  await send(before, request);
  const { rows } = await portal.database.orm.execute<{ text: string }>(
    sql`select t::text as text from idempotency_key t where token_id = ${request.tokenId}`,
  );
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  expect(rows).toHaveLength(1);
  expect(rows[0]?.text).not.toContain(hash);
});

test('a retry after the key was rotated is the same request, and another one is still rejected', async () => {
  const request = { tokenId: randomUUID(), key: 'rotated' };
  const first = await send(before, request);
  const rotated = { current: after, known: [after, before] };
  expect(await send(rotated, request)).toEqual({ ...first, isRepeated: true });
  await expect(send(rotated, { ...request, content: ['other'] })).rejects.toMatchObject({
    reason: 'idempotency-key-reused',
  });
});
