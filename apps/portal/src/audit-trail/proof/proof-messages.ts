import type { AuditKey } from '@deviceportal/audit-proof/audit-block';
import type { ProofReport } from '@deviceportal/audit-proof/check-proof';
import type { ChainEnd, ChainFault } from '@deviceportal/audit-proof/chain-check';
import type { AuditChain, AuditChainBlock } from '@deviceportal/contract/audit-trail';

/** A block as the reader last saw it. */
export interface KeptBlock {
  readonly number: number;
  readonly hash: string;
  readonly seenAt: string;
}

/** What the page asks of the worker; each has one answer. */
export type ToProofWorker =
  | {
      readonly kind: 'begin';
      readonly before: AuditChainBlock | null;
      readonly kept: KeptBlock | null;
    }
  | { readonly kind: 'piece'; readonly piece: Pick<AuditChain, 'blocks' | 'keys'> }
  | { readonly kind: 'end'; readonly keptDays: number }
  | {
      readonly kind: 'proof';
      readonly file: File;
      /** Null where none are known. */
      readonly trustedKeys: readonly AuditKey[] | null;
    }
  | { readonly kind: 'keys'; readonly text: string }
  | { readonly kind: 'hash'; readonly file: File };

export interface ChainProgress {
  /** Sequence of the last event that holds. */
  readonly verified: number;
  readonly blocks: number;
  readonly fault: ChainFault | null;
  /** Events whose content was recomputed; the others are known by their links. */
  readonly readEvents: number;
  readonly setBack: number;
  /** False where this browser cannot check them. */
  readonly signaturesChecked: boolean;
  /** Whether the block that was seen before is in the chain; null while it has not come by. */
  readonly holdsKept: boolean | null;
}

export interface ProofResult extends ProofReport {
  readonly signaturesChecked: boolean;
}

export interface ProofAnswers {
  readonly begin: null;
  readonly piece: ChainProgress;
  readonly end: ChainEnd;
  /** Null where the text is no file of keys. */
  readonly keys: readonly AuditKey[] | null;
  readonly proof: ProofResult;
  readonly hash: string;
}
