import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { ensureBuiltinRoles } from '../../src/access/data/ensure-builtin-roles.ts';
import { createAuditSigner } from '../../src/audit-trail/audit-signer.ts';
import { recordAudit, systemActor } from '../../src/audit-trail/record-audit.ts';
import { runSealer } from '../../src/audit-trail/sealing/run-sealer.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createReadinessBoard } from '../../src/platform/readiness-board.ts';
import { sealAll, sealing, testSigner } from '../support/audit/audit-signer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let test: TestDatabase;
const foreign = createAuditSigner(Buffer.alloc(32, 66));

beforeAll(async () => {
  test = await createTestDatabase();
  await ensureBuiltinRoles(test);
  await test.database.pool.query(
    `insert into portal_user (id, subject, username, email, name, in_admin_group)
     values ($1, 'boss', 'boss', 'boss@example.com', 'Boss', true)`,
    [newId()],
  );
  await record();
  await sealAll(test);
});
afterAll(() => test[Symbol.asyncDispose]());

const record = () =>
  inTransaction(test.database, (tx) =>
    recordAudit(tx, [{ type: 'device.created', actor: systemActor }]),
  );

async function countOf(sql: string): Promise<number> {
  const { rows } = await test.database.pool.query<{ n: number }>(
    `select count(*)::int as n from ${sql}`,
  );
  return rows[0]?.n ?? 0;
}

it('a chain that cannot be verified stops sealing, which is reported once on each channel', async () => {
  await using resources = new AsyncDisposableStack();
  const [readiness, metrics, said] = [createReadinessBoard(), createMetrics(), [] as string[]];
  await runSealer(resources, {
    ...sealing(test),
    signer: foreign,
    changes: createLocalChangeFeed(() => {}),
    logger: createLogger({ logLevel: 'silent' }),
    metrics,
    readiness,
    announce: (line) => void said.push(line),
  });
  expect(said[0]).toContain('Audit trail sealing has stopped');
  await record();
  await expect
    .poll(() => countOf("audit_event where type = 'audit-trail.seal-stopped'"), { timeout: 10_000 })
    .toBe(1);
  expect(await countOf("notification where kind = 'audit-seal-stopped'")).toBe(1);
  const { ready, parts } = await readiness.read();
  expect(ready).toBe(true);
  expect(parts['audit-seal']).toContain('not signed by a key of this installation');
  expect(await metrics.registry.metrics()).toContain('deviceportal_audit_seal_stopped 1');
  expect(await countOf('audit_block')).toBe(1);
});

it('sealing resumes when the key is trusted', async () => {
  await using resources = new AsyncDisposableStack();
  const said: string[] = [];
  await runSealer(resources, {
    ...sealing(test),
    signer: createAuditSigner(Buffer.alloc(32, 66), testSigner.trustedKeys),
    changes: createLocalChangeFeed(() => {}),
    logger: createLogger({ logLevel: 'silent' }),
    metrics: createMetrics(),
    readiness: createReadinessBoard(),
    announce: (line) => void said.push(line),
  });
  await expect.poll(() => countOf('audit_block'), { timeout: 10_000 }).toBe(2);
  expect(said).toEqual([]);
});
