import type { AuditKey } from '@deviceportal/audit-proof/audit-block';
import type { ProofReport } from '@deviceportal/audit-proof/check-proof';
import type { ChainEnd, ChainFault } from '@deviceportal/audit-proof/chain-check';
import type { AuditChain, AuditChainBlock } from '@deviceportal/contract/audit-trail';

/** A block as this browser last verified it. */
export interface VerifiedBlock {
  readonly number: number;
  readonly hash: string;
  readonly seenAt: string;
}

/** Requests of the page to the worker. Each has one response. */
export type ToProofWorker =
  | {
      readonly kind: 'begin';
      readonly before: AuditChainBlock | null;
      readonly kept: VerifiedBlock | null;
    }
  | { readonly kind: 'piece'; readonly piece: Pick<AuditChain, 'blocks' | 'keys'> }
  | { readonly kind: 'end'; readonly keptDays: number }
  | {
      readonly kind: 'proof';
      readonly file: File;
      /** Null if no keys are known. */
      readonly trustedKeys: readonly AuditKey[] | null;
    }
  | { readonly kind: 'keys'; readonly text: string }
  | { readonly kind: 'hash'; readonly file: File };

export interface ChainProgress {
  /** The sequence number of the last verified event. */
  readonly verified: number;
  readonly blocks: number;
  readonly fault: ChainFault | null;
  /** Events whose content hash was recomputed. Others are verified by their links only. */
  readonly readEvents: number;
  readonly setBack: number;
  /** False if this browser cannot verify signatures. */
  readonly signaturesChecked: boolean;
  /** Whether the stored block is in the chain. Null until its position is reached. */
  readonly hasVerifiedBlock: boolean | null;
}

export interface ProofResult extends ProofReport {
  readonly signaturesChecked: boolean;
}

export interface ProofAnswers {
  readonly begin: null;
  readonly piece: ChainProgress;
  readonly end: ChainEnd;
  /** Null if the text is not a file of keys. */
  readonly keys: readonly AuditKey[] | null;
  readonly proof: ProofResult;
  readonly hash: string;
}
