import type { AuditBlock } from '@deviceportal/audit-proof/audit-block';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import {
  lockAnchorProgress,
  saveAnchorFailure,
  saveDelivery,
} from '../data/anchors/anchor-progress-queries.ts';
import { lastBlock, readHeaders } from '../data/sealing/block-queries.ts';
import { positionOf, type AnchorTarget } from './anchor-target.ts';

export interface DeliverDeps {
  readonly database: Database;
  readonly clock: () => Date;
}

/** What a delivery needs of a destination. */
export interface Deliverable extends Pick<AnchorTarget, 'everyMs' | 'newestOnly' | 'deliver'> {
  /** Key of its progress. */
  readonly position: string;
  /** Default: 200. */
  readonly blocksAtOnce?: number;
}

const BLOCKS_AT_ONCE = 200;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 10 * 60_000;
const ERROR_CHARACTERS = 300;

/**
 * Delivers the next blocks to one destination, and returns how many. Zero if there are none, the next delivery is not
 * due, another server delivers, or the delivery failed; the error is stored for the next attempt. Sealing never waits
 * for deliveries.
 */
export const deliverAnchors = (deps: DeliverDeps, target: AnchorTarget): Promise<number> =>
  deliverBlocks(deps, { ...target, position: positionOf(target) });

/** The same for a destination that is not an anchor. */
export async function deliverBlocks(
  { database, clock }: DeliverDeps,
  target: Deliverable,
): Promise<number> {
  const { position } = target;
  return inTransaction(database, async (tx) => {
    const now = clock();
    const progress = await lockAnchorProgress(tx, position, now);
    if (progress === undefined) return 0;
    const blocks = await waitingBlocks(tx, target, progress.delivered);
    const last = blocks.at(-1);
    if (last === undefined) return 0;
    try {
      // A savepoint, so that the failure can be stored after an error of the database.
      await tx.transaction((part) => target.deliver(blocks, part));
    } catch (error) {
      const nextAt = new Date(now.getTime() + retryMs(progress.attempts));
      await saveAnchorFailure(tx, position, { error: reasonOf(error), nextAt });
      return 0;
    }
    const nextAt = new Date(now.getTime() + target.everyMs);
    await saveDelivery(tx, position, { delivered: last.number, nextAt });
    return blocks.length;
  });
}

async function waitingBlocks(
  tx: Transaction,
  { newestOnly, blocksAtOnce = BLOCKS_AT_ONCE }: Deliverable,
  delivered: number,
): Promise<readonly AuditBlock[]> {
  if (!newestOnly) return readHeaders(tx, delivered, blocksAtOnce);
  const newest = await lastBlock(tx);
  return newest === undefined || newest.number <= delivered ? [] : [newest];
}

const retryMs = (attempts: number): number =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts, 20));

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  const { cause } = error;
  const detail = cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : '';
  return `${error.message}${detail}`.slice(0, ERROR_CHARACTERS) || 'failed';
}
