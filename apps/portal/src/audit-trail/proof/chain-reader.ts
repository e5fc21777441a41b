import { ChainCheck, type ChainEnd, type ChainFault } from '@deviceportal/audit-proof/chain-check';
import { fromBase64Url, fromHex } from '@deviceportal/audit-proof/hashing';
import type { AuditChain, AuditChainBlock } from '@deviceportal/contract/audit-trail';
import type { ChainProgress, VerifiedBlock } from './proof-messages.ts';
import type { WebProofTools } from './web-proof-tools.ts';

const HASH_BYTES = 32;

/** Verifies a chain in pieces, in the order in which the server sends them. */
export class ChainReader {
  readonly #tools: WebProofTools;
  readonly #check: ChainCheck;
  readonly #kept: VerifiedBlock | null;
  #keys: AuditChain['keys'] = [];
  #blocks = 0;
  #readEvents = 0;
  #hasVerifiedBlock: boolean | null = null;

  constructor(
    tools: WebProofTools,
    {
      before,
      kept,
    }: { readonly before: AuditChainBlock | null; readonly kept: VerifiedBlock | null },
  ) {
    this.#tools = tools;
    this.#check = new ChainCheck(tools, before ?? undefined);
    this.#kept = kept;
  }

  /** The overall result, after the last piece. */
  end({ keptDays }: Pick<AuditChain, 'keptDays'>): ChainEnd {
    return this.#check.end(keptDays, this.#keys);
  }

  async read({ blocks, keys }: Pick<AuditChain, 'blocks' | 'keys'>): Promise<ChainProgress> {
    let fault: ChainFault | null = null;
    this.#keys = keys;
    for (const block of blocks) {
      fault = await this.#one(block, keys);
      if (fault !== null) break;
    }
    const { verified, setBack } = this.#check;
    return {
      verified,
      setBack,
      fault,
      blocks: this.#blocks,
      readEvents: this.#readEvents,
      signaturesChecked: this.#tools.signaturesChecked(),
      hasVerifiedBlock: this.#hasVerifiedBlock,
    };
  }

  async #one(block: AuditChainBlock, keys: AuditChain['keys']): Promise<ChainFault | null> {
    const sequence = this.#check.verified + 1;
    const fault = this.#check.add(block, keys, contentOf(block));
    if (fault !== null) return fault;
    const key = keys.find(({ id }) => id === block.keyId);
    const isSigned =
      key !== undefined &&
      (await this.#tools.verify(
        fromBase64Url(key.publicKey),
        fromBase64Url(block.signature),
        fromHex(block.hash),
      ));
    if (!isSigned) return { sequence, block: block.number, reason: 'unsigned' };
    this.#blocks += 1;
    const { content } = block;
    if (content !== null) {
      this.#readEvents += content.records.filter((record) => !('gone' in record)).length;
    }
    if (this.#kept?.number === block.number)
      this.#hasVerifiedBlock = this.#kept.hash === block.hash;
    return null;
  }
}

function contentOf({ content }: AuditChainBlock) {
  if (content === null) return undefined;
  const bytes = fromBase64Url(content.leaves);
  const leaves = Array.from({ length: Math.ceil(bytes.length / HASH_BYTES) }, (_, index) =>
    bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );
  return { leaves, records: content.records };
}
