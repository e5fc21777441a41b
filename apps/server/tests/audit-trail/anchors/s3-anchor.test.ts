import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lacks } from '../../../../../packages/aws/tests/parts/parts.ts';
import { startMoto } from '../../../../../packages/aws/tests/parts/start-moto.ts';
import type { RunningPart } from '../../../../../packages/aws/tests/parts/start-part.ts';
import { anchorFaultLines } from '../../../src/audit-trail/anchors/anchor-report-lines.ts';
import { beginAnchor } from '../../../src/audit-trail/anchors/begin-anchor.ts';
import { readReceipt } from '../../../src/audit-trail/anchors/bucket-receipt.ts';
import { checkAnchors } from '../../../src/audit-trail/anchors/check-anchors.ts';
import { deliverAnchors } from '../../../src/audit-trail/anchors/deliver-anchors.ts';
import { openS3Anchor, placeOfBucket } from '../../../src/audit-trail/anchors/s3-anchor.ts';
import { readAnchorStates } from '../../../src/audit-trail/data/anchors/anchor-progress-queries.ts';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import { sealAll } from '../../support/audit/audit-signer.ts';
import { tamperWithTrail } from '../../support/audit/tamper-with-trail.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const LIMIT_MS = 280_000;
const LOCK_DAYS = 30;

let moto: RunningPart;
let db: TestDatabase;
let buckets = 0;
let bucket = '';

/** The stand-in checks no signature, but whether there is one. */
const authorization =
  'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0';

async function callS3(
  method: string,
  path: string,
  { body, ...headers }: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const response = await fetch(`${moto.endpoint}/${path}`, {
    method,
    headers: { authorization, ...headers },
    ...(body !== undefined && { body }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function createBucket(headers: Readonly<Record<string, string>>): Promise<string> {
  buckets += 1;
  const name = `anchors-${buckets}`;
  await callS3('PUT', name, headers);
  return name;
}

const configOf = (name = bucket) => ({
  ...moto,
  bucket: name,
  prefix: 'trail/',
  lockDays: LOCK_DAYS,
  everyMs: 0,
});

async function seal(blocks: number): Promise<void> {
  for (let index = 0; index < blocks; index += 1) {
    await inTransaction(db.database, (tx) =>
      recordAudit(tx, [{ type: 'device.created', actor: systemActor }]),
    );
    await sealAll(db);
  }
}

let afterMs = 0;
/** A worker, which delivers what is due, also after a failure. */
async function deliver(): Promise<number> {
  afterMs += 3_600_000;
  const clock = (): Date => new Date(Date.now() + afterMs);
  return deliverAnchors({ ...db, clock }, await openS3Anchor(configOf()));
}

const check = () =>
  checkAnchors({
    executor: db.database.orm,
    file: undefined,
    bucket: configOf(),
    roots: undefined,
  });

const faults = async (): Promise<string[]> =>
  anchorFaultLines(await check(), { file: undefined, bucket: placeOfBucket(configOf()) });

describe.skipIf(lacks('moto'))('blocks in a bucket with object lock', () => {
  beforeAll(async () => {
    moto = await startMoto();
  }, LIMIT_MS);
  afterAll(() => moto[Symbol.asyncDispose]());
  beforeEach(async () => {
    db = await createTestDatabase();
    bucket = await createBucket({ 'x-amz-bucket-object-lock-enabled': 'true' });
    await beginAnchor(db.database.orm, await openS3Anchor(configOf()));
  }, LIMIT_MS);
  afterEach(() => db[Symbol.asyncDispose]());

  test(
    'are stored until a date on which nobody can delete them, and match the chain',
    async () => {
      await seal(3);
      expect(await deliver()).toBe(3);
      await seal(2);
      expect(await deliver()).toBe(2);
      expect(await deliver()).toBe(0);
      const receipt = await readReceipt(db.database.orm);
      const [, key = '', versionId = ''] =
        /^s3:\/\/anchors-\d+\/(trail\/0+4\.jsonl)#(.+)$/.exec(receipt ?? '') ?? [];
      const head = await callS3('HEAD', `${bucket}/${key}?versionId=${versionId}`);
      expect(head.headers.get('x-amz-object-lock-mode')).toBe('COMPLIANCE');
      const days =
        (Date.parse(head.headers.get('x-amz-object-lock-retain-until-date') ?? '') - Date.now()) /
        86_400_000;
      expect(days).toBeGreaterThan(LOCK_DAYS - 0.5);
      await expect(callS3('DELETE', `${bucket}/${key}?versionId=${versionId}`)).rejects.toThrow(
        /403/,
      );
      expect((await check()).bucket).toEqual({
        ...{ blocks: 5, rewritten: null, lacking: null, unreadable: 0, changed: null },
      });
    },
    LIMIT_MS,
  );

  test(
    'of several workers, also one that was killed after storing an object, are stored once',
    async () => {
      await seal(2);
      await deliver();
      // As if the transaction that records the delivery had been rolled back.
      await db.owner.pool.query('update audit_anchor_progress set delivered = 0');
      await seal(2);
      const counts = await Promise.all([deliver(), deliver()]);
      expect(counts.toSorted()).toEqual([0, 4]);
      expect((await check()).bucket).toMatchObject({ blocks: 4, lacking: null, changed: null });
      const { rowCount } = await db.database.pool.query(
        `select from audit_event where type = 'audit-trail.anchor-cut'`,
      );
      expect(rowCount).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    'show the first block of a chain that was rebuilt, and are not replaced by it',
    async () => {
      await seal(2);
      await deliver();
      await seal(2);
      await deliver();
      await tamperWithTrail(
        db,
        `update audit_event set type = 'device.retired' where id = (select event_ids[1] from audit_block where number = 2)`,
      );
      await tamperWithTrail(db, 'delete from audit_block');
      await tamperWithTrail(db, 'insert into audit_unsealed (event_id) select id from audit_event');
      await sealAll(db, 1);
      await db.owner.pool.query('update audit_anchor_progress set delivered = 0');
      expect(await deliver()).toBe(0);
      expect(await readAnchorStates(db.database.orm, ['s3'])).toMatchObject([
        {
          error: expect.stringMatching(
            /contains another block 1: the trail was truncated or rebuilt/,
          ),
        },
      ]);
      expect(await faults()).toContain(
        `Fault: block 1 differs from its anchor in the bucket s3://${bucket}/trail/: the trail was truncated or rebuilt.`,
      );
    },
    LIMIT_MS,
  );

  test(
    'are compared by their first versions after they were overwritten or marked as deleted',
    async () => {
      await seal(1);
      await deliver();
      await seal(1);
      await deliver();
      const [first, second] = [1, 2].map(
        (number) => `trail/${String(number).padStart(15, '0')}.jsonl`,
      );
      await callS3('DELETE', `${bucket}/${second}`);
      expect(await faults()).toEqual([
        expect.stringMatching(/^Fault: s3:.*02\.jsonl#.+ was overwritten or deleted\./),
      ]);
      await callS3('PUT', `${bucket}/${first}`, {
        'x-amz-sdk-checksum-algorithm': 'CRC32',
        'x-amz-checksum-crc32': 'AAAAAA==',
        body: '{}',
      });
      const report = await check();
      expect(report.bucket).toMatchObject({ blocks: 2, rewritten: null, lacking: null });
      expect(report.bucket?.changed).toMatch(/01\.jsonl#/);
    },
    LIMIT_MS,
  );

  test(
    'are refused by a bucket without object lock, and by one that does not exist, with one line each',
    async () => {
      const open = await createBucket({});
      await expect(openS3Anchor(configOf(open))).rejects.toThrow(
        `The bucket ${open} (DEVICEPORTAL_AUDIT_ANCHOR_S3) has no object lock, so that blocks in it could be deleted. Create a bucket with object lock.`,
      );
      await expect(openS3Anchor(configOf('missing'))).rejects.toThrow(
        /^The bucket missing \(DEVICEPORTAL_AUDIT_ANCHOR_S3\) cannot be used: NoSuchBucket/,
      );
      // Unreachable now: the server starts, and delivers later.
      await openS3Anchor({ ...configOf(), endpoint: 'http://127.0.0.1:1' });
    },
    LIMIT_MS,
  );
});
