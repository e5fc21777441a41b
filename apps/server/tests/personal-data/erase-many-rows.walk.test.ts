import { afterAll, beforeAll, expect, test } from 'vitest';
import { serializeAccessChange } from '../../src/access/serialize-access-change.ts';
import { createErasureFixture, advanceAll, type ErasureFixture } from './erasure-fixture.ts';
import { seedUser } from './seeded-people.ts';

const LIMIT_MS = 180_000;
let fixture: ErasureFixture;

beforeAll(async () => {
  fixture = await createErasureFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

test(
  '200,000 rows of a user are erased while changes of access by others commit within a second',
  async () => {
    const { database } = fixture.portal;
    const user = await fixture.user('maria-quill@example.com', {
      ...{ calls: 180_000, runs: 10_000, notifications: 5_000 },
    });
    const other = await seedUser(database, 'boris@example.com');
    let slowest = 0;
    let changes = 0;
    const changeAccess = async (): Promise<void> => {
      const startedAt = performance.now();
      await serializeAccessChange(database, async (tx) => {
        await tx.execute(`update portal_user set note = note || '.' where id = '${other.id}'`);
        await tx.execute(`update portal_user set last_sign_in_at = now() where id = '${user.id}'`);
      });
      changes += 1;
      slowest = Math.max(slowest, performance.now() - startedAt);
    };
    let isOver = false;
    const erasing = fixture
      .begin(user)
      .then(() => advanceAll(fixture.deps))
      .finally(() => (isOver = true));
    const startedAt = performance.now();
    while (!isOver) await changeAccess();
    await erasing;
    const seconds = (performance.now() - startedAt) / 1_000;
    console.info({ seconds, changes, slowest });
    expect(slowest).toBeLessThan(1_000);
    expect(await fixture.find('maria-quill')).toEqual([]);
  },
  LIMIT_MS,
);
