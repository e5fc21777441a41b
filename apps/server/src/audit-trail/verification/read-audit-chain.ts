import type { z } from 'zod';
import type {
  AuditChain,
  AuditChainBlock,
  readAuditChainInput,
} from '@deviceportal/contract/audit-trail';
import { checkAnchors } from '../anchors/anchor-lateness.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import type { Viewer } from '../../platform/viewer.ts';
import {
  firstBlockSince,
  lastBlock,
  readBlocks,
  readHeaders,
  type SealedBlock,
} from '../data/sealing/block-queries.ts';
import type { AuditTrailDeps } from '../audit-trail-deps.ts';
import { auditSightOf } from '../audit-sight.ts';
import { readRecords, type RecordSources } from '../archive/read-records.ts';

const HEADERS_AT_ONCE = 2_000;
const BLOCKS_AT_ONCE = 60;
const EVENTS_AT_ONCE = 3_000;

/**
 * A part of the chain, for verification outside this server. Viewers with a limited scope, or without permission to see
 * people, get the links without the events.
 */
export async function readAuditChain(
  deps: Pick<
    AuditTrailDeps,
    keyof RecordSources | 'auditSigner' | 'keptDays' | 'anchors' | 'clock'
  >,
  viewer: Viewer,
  input: z.infer<typeof readAuditChainInput>,
): Promise<AuditChain> {
  const { orm } = deps.database;
  // Read before the blocks, so that they do not name a last block of a retired key that is not read yet.
  const keys = deps.auditSigner.trustedKeys;
  const sight = auditSightOf(viewer, 'audit-trail:read');
  const withheld = !(sight.seesPeople && sight.scopes.some(isEverywhere));
  const start =
    input.after === 0 && input.from !== null
      ? (await firstBlockSince(orm, input.from)) - 1
      : input.after;
  const [before] = start > 0 ? await readHeaders(orm, start - 1, 1) : [];
  const head = await lastBlock(orm);
  return {
    before: before === undefined ? null : { ...before, content: null },
    blocks:
      withheld || input.depth === 'links'
        ? (await readHeaders(orm, start, HEADERS_AT_ONCE)).map((block) => ({
            ...block,
            content: null,
          }))
        : await withContent(deps, await readBlocks(orm, start, BLOCKS_AT_ONCE)),
    head: head === undefined ? null : { ...head, content: null },
    withheld,
    keys,
    keptDays: deps.keptDays,
    anchors: await anchorsOf(deps),
  };
}

/** Without error messages, which contain hosts and paths of the operator. */
async function anchorsOf({
  database,
  anchors,
  clock,
}: Pick<AuditTrailDeps, 'database' | 'anchors' | 'clock'>): Promise<AuditChain['anchors']> {
  const anchorStates = await checkAnchors(database.orm, anchors, clock());
  return anchorStates.map(({ error: _error, ...anchor }) => anchor);
}

async function withContent(
  sources: RecordSources,
  blocks: readonly SealedBlock[],
): Promise<AuditChainBlock[]> {
  const piece = blocks.slice(0, fitting(blocks));
  const found = await readRecords(
    sources,
    piece.flatMap(({ eventIds }) => eventIds),
  );
  return piece.map(({ eventIds, leaves, ...block }) => ({
    ...block,
    content: {
      leaves: Buffer.concat(leaves).toString('base64'),
      records: eventIds.map(found.of),
    },
  }));
}

/** How many blocks fit in one response by their number of events; at least one. */
function fitting(blocks: readonly SealedBlock[]): number {
  let events = 0;
  const over = blocks.findIndex((block) => (events += block.count) > EVENTS_AT_ONCE);
  return over === -1 ? blocks.length : Math.max(1, over);
}
