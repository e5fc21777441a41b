import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { toHex } from '@deviceportal/audit-proof/hashing';
import { proveLeaves } from '@deviceportal/audit-proof/merkle-tree';
import {
  endText,
  PROOF_FORMAT,
  type ProofLine,
  type ProofManifest,
} from '@deviceportal/audit-proof/proof-lines';
import {
  findBlocksOf,
  readBlocksByNumber,
  type SealedBlock,
} from '../data/sealing/block-queries.ts';
import { hasUnsealed } from '../data/sealing/unsealed-event-queries.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { proofTools } from './proof-tools.ts';
import { sealAuditTrail, type SealDeps } from '../sealing/seal-audit-trail.ts';
import { SealStopped } from '../sealing/seal-stopped.ts';
import { readRecords, type FoundRecords, type RecordSources } from '../archive/read-records.ts';

export interface ExportProof {
  /** Of the proof. */
  readonly fileName: string;
  readonly manifest: ProofManifest;
  /** Of the manifest file, hexadecimal. */
  readonly manifestSha256: string;
  /** Events that were exported as they are sealed. */
  readonly ids: ReadonlySet<string>;
  /** How many were exported with masked values. */
  readonly masked: number;
}

const IDS_AT_ONCE = 5_000;
const BLOCKS_AT_ONCE = 20;
const SEAL_ROUNDS = 40;
const SEAL_REST_MS = 100;

type ProofDeps = SealDeps & RecordSources & { readonly files: Pick<FileStore, 'put'> };

/** Writes the proof of an export: its events with their paths to the roots of signed blocks. */
export async function writeExportProof(deps: ProofDeps, proof: ExportProof): Promise<void> {
  await sealQueue(deps);
  await deps.files.put(proof.fileName, proofText(deps, proof));
}

/** Exported events may be very recent, and another sealer may be running. */
async function sealQueue(deps: SealDeps): Promise<void> {
  for (let round = 0; round < SEAL_ROUNDS; round += 1) {
    const sealed = await sealAuditTrail(deps).catch((error: unknown) => {
      // The proof contains the number of unsealed events.
      if (error instanceof SealStopped) return null;
      throw error;
    });
    if (sealed === null) return;
    if (sealed > 0) continue;
    if (!(await hasUnsealed(deps.database.orm))) return;
    await sleep(SEAL_REST_MS);
  }
}

async function* proofText(deps: ProofDeps, proof: ExportProof): AsyncGenerator<string> {
  const { signer } = deps;
  // Another process may have rotated the key.
  const key = await signer.keyAfter(undefined);
  const all = createHash('sha256');
  const write = (line: ProofLine): string => {
    const text = `${JSON.stringify(line)}\n`;
    all.update(text);
    return text;
  };
  yield write({
    kind: 'export',
    format: PROOF_FORMAT,
    version: 1,
    manifest: proof.manifest,
    manifestSha256: proof.manifestSha256,
    keys: [...signer.trustedKeys],
  });
  let [blocks, events] = [0, 0];
  for await (const line of blockLines(deps, proof.ids)) {
    blocks += 1;
    events += line.events.length;
    yield write(line);
  }
  const unproven = { masked: proof.masked, unsealed: proof.ids.size - events };
  const digest = all.update(endText({ blocks, events, unproven })).digest();
  const end: ProofLine = {
    kind: 'end',
    blocks,
    events,
    unproven,
    sha256: digest.toString('hex'),
    keyId: key.keyId,
    signature: (await key.sign(digest)).toString('base64url'),
  };
  yield `${JSON.stringify(end)}\n`;
}

type BlockLine = Extract<ProofLine, { kind: 'block' }>;

async function* blockLines(
  deps: ProofDeps,
  wanted: ReadonlySet<string>,
): AsyncGenerator<BlockLine> {
  const { database } = deps;
  const numbers = await numbersOf(deps, wanted);
  for (let at = 0; at < numbers.length; at += BLOCKS_AT_ONCE) {
    const blocks = await readBlocksByNumber(database.orm, numbers.slice(at, at + BLOCKS_AT_ONCE));
    const ids = blocks.flatMap(({ eventIds }) => eventIds.filter((id) => wanted.has(id)));
    const found = await readRecords(deps, ids);
    for (const block of blocks) {
      const line = lineOf(block, wanted, found);
      if (line.events.length > 0) yield line;
    }
  }
}

async function numbersOf(
  { database }: Pick<SealDeps, 'database'>,
  wanted: ReadonlySet<string>,
): Promise<number[]> {
  const ids = [...wanted].toSorted();
  const numbers = new Set<number>();
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const found = await findBlocksOf(database.orm, ids.slice(at, at + IDS_AT_ONCE));
    for (const number of found) numbers.add(number);
  }
  return [...numbers].toSorted((one, other) => one - other);
}

function lineOf(
  sealed: SealedBlock,
  wanted: ReadonlySet<string>,
  found: Pick<FoundRecords, 'of'>,
): BlockLine {
  const { eventIds, leaves, ...block } = sealed;
  const events = eventIds.flatMap((id, index): BlockLine['events'] => {
    const record = wanted.has(id) ? found.of(id) : null;
    return record === null || 'gone' in record ? [] : [[index, [...record]]];
  });
  const known = new Set(events.map(([index]) => index));
  const path = known.size === 0 ? [] : proveLeaves(proofTools.sha256, leaves, known);
  return { kind: 'block', block, events, path: path.map(toHex) };
}
