import { blockHash, type AuditBlock, type AuditKey } from './audit-block.ts';
import { leafHash, recordFields } from './audit-record.ts';
import { endorsedKeys } from './endorsed-keys.ts';
import { fromBase64Url, fromHex, toHex } from './hashing.ts';
import { isAfterItsLast } from './key-turns.ts';
import { rootFromLeaves } from './merkle-tree.ts';
import {
  endText,
  proofLineSchema,
  type ProofLine,
  type ProofManifest,
  type UnprovenEvents,
} from './proof-lines.ts';
import type { ProofTools } from './proof-tools.ts';

export type ProofFaultReason =
  /** A line is not a valid proof line, or the file is truncated. */
  | 'unreadable'
  /** An event is not the one sealed at its position. */
  | 'not-sealed'
  /** A block does not match its hash. */
  | 'resealed'
  | 'unsigned'
  /** Signed by a key that is not trusted. */
  | 'foreign'
  /** Signed by a key that was retired before. */
  | 'out-of-turn'
  /** Lines were changed, removed, or added after the export. */
  | 'edited';

export interface ProofReport {
  /** The first fault; null if the proof is valid. */
  readonly fault: { readonly line: number; readonly reason: ProofFaultReason } | null;
  readonly events: number;
  readonly blocks: number;
  readonly manifest: ProofManifest | null;
  /** Digest of the manifest file; null if the proof has none. */
  readonly manifestSha256: string | null;
  readonly unproven: UnprovenEvents;
  /** Keys of the verified signatures. */
  readonly keys: readonly AuditKey[];
}

const encoder = new TextEncoder();
const LINE_FEED = Uint8Array.of(0x0a);

/**
 * Reads and verifies a proof.
 *
 * @param trustedKeys keys from another source, and keys that they endorse; null for the keys in the
 * proof, which only show that the file is consistent
 */
export async function checkProof(
  lines: AsyncIterable<string> | Iterable<string>,
  tools: ProofTools,
  trustedKeys: readonly AuditKey[] | null,
): Promise<ProofReport> {
  const check = new ProofCheck(tools, trustedKeys);
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const reason = await check.add(line);
    if (reason !== null) return { ...check.report, fault: { line: number, reason } };
  }
  if (check.isWhole) return check.report;
  return { ...check.report, fault: { line: number + 1, reason: 'unreadable' } };
}

class ProofCheck {
  readonly #tools: ProofTools;
  readonly #trustedKeys: readonly AuditKey[] | null;
  readonly #all: ReturnType<ProofTools['createSha256']>;
  readonly #used = new Map<string, AuditKey>();
  #keys: readonly AuditKey[] = [];
  #manifest: ProofManifest | null = null;
  #manifestSha256: string | null = null;
  #unproven: UnprovenEvents = { masked: 0, unsealed: 0 };
  #events = 0;
  #blocks = 0;
  #ended = false;
  #newest: AuditBlock | null = null;

  constructor(tools: ProofTools, trustedKeys: readonly AuditKey[] | null) {
    this.#tools = tools;
    this.#trustedKeys = trustedKeys;
    this.#all = tools.createSha256();
  }

  get isWhole(): boolean {
    return this.#ended;
  }

  get report(): ProofReport {
    return {
      fault: null,
      events: this.#events,
      blocks: this.#blocks,
      manifest: this.#manifest,
      manifestSha256: this.#manifestSha256,
      unproven: this.#unproven,
      keys: [...this.#used.values()],
    };
  }

  async add(text: string): Promise<ProofFaultReason | null> {
    const line = parseLine(text);
    if (line === null || this.#ended) return 'unreadable';
    if ((line.kind === 'export') !== (this.#manifest === null)) return 'unreadable';
    if (line.kind === 'end') return this.#end(line);
    this.#all.update(encoder.encode(text));
    this.#all.update(LINE_FEED);
    if (line.kind === 'block') return this.#block(line);
    this.#manifest = line.manifest;
    this.#manifestSha256 = line.manifestSha256 ?? null;
    const pinned = this.#trustedKeys;
    this.#keys = pinned === null ? line.keys : await endorsedKeys(this.#tools, pinned, line.keys);
    return null;
  }

  async #block(line: Extract<ProofLine, { kind: 'block' }>): Promise<ProofFaultReason | null> {
    const { sha256 } = this.#tools;
    const { block, events, path } = line;
    const known = new Map(events.map(([index, values]) => [index, leafHash(sha256, values)]));
    if (known.size !== events.length) return 'unreadable';
    if (events.some(([, values]) => values.length !== recordFields.length)) return 'unreadable';
    const root = rootFromLeaves(sha256, { count: block.count, known, path: path.map(fromHex) });
    if (root === null || toHex(root) !== block.root) return 'not-sealed';
    if (blockHash(sha256, block) !== block.hash) return 'resealed';
    const unsigned = await this.#signatureFault(block.hash, block);
    if (unsigned !== null) return unsigned;
    if (this.#isRetiredAt(block)) return 'out-of-turn';
    this.#newest = block;
    this.#events += events.length;
    this.#blocks += 1;
    return null;
  }

  async #end(line: Extract<ProofLine, { kind: 'end' }>): Promise<ProofFaultReason | null> {
    this.#all.update(encoder.encode(endText(line)));
    const digest = toHex(this.#all.digest());
    const unsigned = await this.#signatureFault(digest, line);
    if (unsigned === 'foreign') return 'foreign';
    if (digest !== line.sha256 || unsigned !== null) return 'edited';
    // The export is signed after its newest block was sealed, so its key cannot be retired there.
    if (this.#newest !== null && this.#isRetiredAt({ ...this.#newest, keyId: line.keyId }))
      return 'out-of-turn';
    const { masked, unsealed } = line.unproven;
    this.#unproven = line.unproven;
    this.#ended = true;
    const isAll =
      line.events === this.#events &&
      line.blocks === this.#blocks &&
      this.#events + masked + unsealed === this.#manifest?.count;
    return isAll ? null : 'edited';
  }

  #isRetiredAt(block: Pick<AuditBlock, 'number' | 'hash' | 'keyId'>): boolean {
    const key = this.#keys.find(({ id }) => id === block.keyId);
    return key !== undefined && isAfterItsLast(block, key);
  }

  async #signatureFault(
    hash: string,
    { keyId, signature }: { readonly keyId: string; readonly signature: string },
  ): Promise<'unsigned' | 'foreign' | null> {
    const key = this.#keys.find(({ id }) => id === keyId);
    if (key === undefined) return this.#trustedKeys === null ? 'unsigned' : 'foreign';
    this.#used.set(key.id, key);
    const [publicKey, signed] = [fromBase64Url(key.publicKey), fromBase64Url(signature)];
    return (await this.#tools.verify(publicKey, signed, fromHex(hash))) ? null : 'unsigned';
  }
}

function parseLine(text: string): ProofLine | null {
  try {
    return proofLineSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
