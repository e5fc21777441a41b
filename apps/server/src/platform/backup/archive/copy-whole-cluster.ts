import { join } from 'node:path';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { digesting } from '../../files/digesting.ts';
import { toWrittenKey } from '../../secrets/written-key.ts';
import { deliverEncrypted } from '../deliver-encrypted.ts';
import { sealOf, type ArchiveContext } from './archive-context.ts';
import { timeKey, type ChainPlaces, type CopyManifest } from './archive-places.ts';
import { copyCluster } from './cluster-copy.ts';
import { putSealed } from './sealed-object.ts';

export interface WholeCopy {
  readonly id: string;
  readonly manifest: CopyManifest;
  /** Compressed and encrypted. */
  readonly storedBytes: number;
}

/**
 * Stores a complete copy of the running cluster. It counts when its manifest is stored; what is left of an interrupted copy
 * is deleted with the next one.
 */
export async function copyWholeCluster(
  context: ArchiveContext,
  chain: ChainPlaces,
): Promise<WholeCopy> {
  const startedAt = context.clock();
  const id = timeKey(startedAt);
  const client = await context.database.pool.connect();
  try {
    await client.query("select pg_backup_start('device-portal', true)");
    const { storedBytes, ...stored } = await store(context, chain, id);
    const label = await end(client);
    const manifest: CopyManifest = {
      startedAt: startedAt.toISOString(),
      endedAt: context.clock().toISOString(),
      postgresMajor: await readMajor(client),
      firstSegment: firstSegmentOf(label),
      ...{ label, ...stored },
      auditKeys: context.auditKeys.known.map(toWrittenKey),
    };
    const content = Buffer.from(JSON.stringify(manifest));
    await putSealed(
      chain.copies(`${id}.manifest`),
      async () => Readable.from([content]),
      sealOf(context),
    );
    client.release();
    return { id, manifest, storedBytes };
  } catch (error) {
    // Ends the session, and with it a backup that was begun.
    client.release(true);
    throw error;
  }
}

/** `START WAL LOCATION: 0/9000028 (file 000000010000000000000009)` */
function firstSegmentOf(label: string): string {
  const [, segment] = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(label) ?? [];
  if (segment === undefined) throw new Error('PostgreSQL returned no backup label');
  return segment;
}

async function end(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ label: string }>(
    'select labelfile as label from pg_backup_stop(false)',
  );
  return rows[0]?.label ?? '';
}

async function readMajor(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int / 10000 as version",
  );
  return rows[0]?.version ?? 0;
}

async function store(
  { dataDir, recipients }: ArchiveContext,
  chain: ChainPlaces,
  id: string,
): Promise<Pick<CopyManifest, 'sha256' | 'bytes'> & Pick<WholeCopy, 'storedBytes'>> {
  const { measure, result } = digesting();
  const { store: files, key } = chain.copies(`${id}.cluster`);
  const content = measure(copyCluster(join(dataDir, 'postgres')));
  const { bytes: storedBytes } = await deliverEncrypted(content, recipients, (stored) =>
    files.put(key, stored),
  );
  return { ...result(), storedBytes };
}
