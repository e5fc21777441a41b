import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginAnchor } from '../../../src/audit-trail/anchors/begin-anchor.ts';
import type { AnchorTarget } from '../../../src/audit-trail/anchors/anchor-target.ts';
import {
  checkAnchors,
  type AnchorReport,
  type AnchorSources,
} from '../../../src/audit-trail/anchors/check-anchors.ts';
import type { PlaceReport } from '../../../src/audit-trail/anchors/place-check.ts';
import { deliverAnchors } from '../../../src/audit-trail/anchors/deliver-anchors.ts';
import { createFileAnchor } from '../../../src/audit-trail/anchors/file-anchor.ts';
import { createTsaAnchor } from '../../../src/audit-trail/anchors/tsa-anchor.ts';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { verifyAuditTrail } from '../../../src/audit-trail/verification/verify-audit-trail.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import { onlyHot, sealAll } from '../../support/audit/audit-signer.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { startOpensslTsa, type OpensslTsa } from '../../support/audit/openssl-tsa.ts';
import { tamperWithTrail } from '../../support/audit/tamper-with-trail.ts';

let tsa: OpensslTsa;
let foreignTsa: OpensslTsa;
let test: TestDatabase;
let dir = '';
let file = '';

beforeAll(async () => {
  tsa = await startOpensslTsa();
  foreignTsa = await startOpensslTsa();
});
afterAll(async () => {
  await tsa[Symbol.asyncDispose]();
  await foreignTsa[Symbol.asyncDispose]();
});
beforeEach(async () => {
  test = await createTestDatabase();
  dir = await mkdtemp(join(tmpdir(), 'dp-anchored-'));
  file = join(dir, 'anchors.jsonl');
});
afterEach(async () => {
  await test[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

async function sealOne(): Promise<void> {
  await inTransaction(test.database, (tx) =>
    recordAudit(tx, [{ type: 'device.retired', actor: systemActor }]),
  );
  await sealAll(test);
}

/** Three blocks, each of which every place has. */
async function sealAndAnchor(targets: readonly AnchorTarget[]): Promise<void> {
  for (const target of targets) await beginAnchor(test.database.orm, target);
  for (let index = 0; index < 3; index += 1) {
    await sealOne();
    for (const target of targets) {
      const clock = (): Date => new Date(Date.now() + 1_000);
      expect(await deliverAnchors({ ...test, clock }, target)).toBe(1);
    }
  }
}

/** Whoever has the database and the signing key changes an event and makes the chain anew; a check of it finds nothing. */
async function rewrite(): Promise<void> {
  await tamperWithTrail(
    test,
    `update audit_event set type = 'device.created' where id = (select event_ids[1] from audit_block where number = 2)`,
  );
  await tamperWithTrail(test, 'delete from audit_block');
  await tamperWithTrail(test, 'insert into audit_unsealed (event_id) select id from audit_event');
  await sealAll(test, 1);
  expect(await verifyAuditTrail(onlyHot(test))).toMatchObject({ broken: null, strays: 0 });
}

async function check(
  over: Partial<AnchorSources> = {},
): Promise<AnchorReport & Partial<PlaceReport>> {
  const sources = { executor: test.database.orm, file, bucket: undefined, roots: tsa.roots };
  const report = await checkAnchors({ ...sources, ...over });
  return { ...report, ...report.file };
}
const stamping = (of: OpensslTsa, kept: string | undefined = undefined): AnchorTarget =>
  createTsaAnchor({ url: of.url, roots: of.roots, everyMs: 0, file: kept });

describe('a chain that was made anew with the signing key is found', () => {
  it('by the file of anchors', async () => {
    await sealAndAnchor([createFileAnchor(file)]);
    expect(await check()).toMatchObject({ blocks: 3, rewritten: null, lacking: null });
    await rewrite();
    expect(await check()).toMatchObject({ rewritten: 1 });
  });

  it('by the time stamps in the database, where they were left', async () => {
    await sealAndAnchor([stamping(tsa)]);
    expect(await check({ file: undefined })).toMatchObject({
      stamps: 3,
      newest: { number: 3 },
      badStamp: null,
    });
    await rewrite();
    expect(await check({ file: undefined })).toMatchObject({
      stamps: 0,
      badStamp: { number: 1, reason: 'the time stamp is for other data' },
    });
  });

  it('by the time stamps in the file, where those of the database were deleted', async () => {
    await sealAndAnchor([stamping(tsa, file)]);
    await tamperWithTrail(test, 'delete from audit_time_stamp');
    await rewrite();
    expect(await check()).toMatchObject({ stamps: 0, rewritten: 1, badStamp: { number: 1 } });
  });

  it('where it was cut off, too', async () => {
    await sealAndAnchor([createFileAnchor(file)]);
    await tamperWithTrail(test, 'delete from audit_block where number = 3');
    expect(await check()).toMatchObject({ blocks: 2, rewritten: 3 });
  });
});

describe('anchors cannot be taken away or replaced unseen', () => {
  const edit = async (change: (lines: string[]) => string[]): Promise<void> => {
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    await writeFile(file, `${change(lines).join('\n')}\n`);
  };

  it('in the middle of the file', async () => {
    await sealAndAnchor([createFileAnchor(file)]);
    await edit(([first = '', , third = '']) => [first, third]);
    expect(await check()).toMatchObject({ lacking: 2 });
  });

  it('at its end', async () => {
    await sealAndAnchor([createFileAnchor(file)]);
    await edit((lines) => lines.slice(0, 1));
    // Blocks of the last 15 minutes may be on their way.
    expect(await check()).toMatchObject({ blocks: 1, lacking: null });
    await tamperWithTrail(test, `update audit_block set sealed_at = sealed_at - interval '1 hour'`);
    expect(await check()).toMatchObject({ lacking: 2 });
  });

  it('by saying that blocks were delivered which do not exist yet', async () => {
    const target = createFileAnchor(file);
    await sealAndAnchor([target]);
    await test.database.pool.query('update audit_anchor_progress set delivered = 1000');
    await sealOne();
    await sealOne();
    const clock = (): Date => new Date(Date.now() + 1_000);
    expect(await deliverAnchors({ ...test, clock }, target)).toBe(1);
    expect(await check()).toMatchObject({ blocks: 4, lacking: 4 });
    const { rows } = await test.database.pool.query(
      `select data from audit_event where type = 'audit-trail.anchor-cut'`,
    );
    expect(rows).toEqual([{ data: { target: 'file', endedAt: 3, expected: 4 } }]);
  });

  it('by stamps of an authority that nobody trusts', async () => {
    await sealAndAnchor([createFileAnchor(file), stamping(foreignTsa, file)]);
    expect(await check()).toMatchObject({
      stamps: 0,
      badStamp: { number: 1, reason: 'the time stamp is not from a trusted authority' },
    });
    expect(await check({ roots: undefined })).toMatchObject({ unchecked: 6, badStamp: null });
  });
});
