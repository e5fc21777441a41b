import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChainEnd } from '@deviceportal/audit-proof/chain-check';
import type { AuditChain, AuditChainBlock } from '@deviceportal/contract/audit-trail';
import { useApiClient } from '../../api/use-api.ts';
import { serverNowMs } from '../../ui/time/server-clock.ts';
import { keepBlock, readVerifiedBlock } from './verified-block.ts';
import { openProofWorker } from './open-proof-worker.ts';
import type { ChainProgress, VerifiedBlock } from './proof-messages.ts';

export interface ChainCheckState {
  readonly phase: 'idle' | 'running' | 'done' | 'failed';
  readonly progress: ChainProgress | null;
  /** The newest block when the check started, at which it ends. */
  readonly head: AuditChainBlock | null;
  /** The sequence number of the event before the first verified one. */
  readonly start: number;
  readonly withheld: boolean;
  /** The overall result. Null before the end, and if a block is not valid. */
  readonly end: ChainEnd | null;
  readonly keptDays: number;
  readonly anchors: AuditChain['anchors'];
  readonly keys: AuditChain['keys'];
  readonly kept: VerifiedBlock | null;
  readonly error: unknown;
}

const idle: ChainCheckState = {
  phase: 'idle',
  progress: null,
  head: null,
  start: 0,
  withheld: false,
  end: null,
  keptDays: 0,
  anchors: [],
  keys: [],
  kept: null,
  error: null,
};

interface ChainCheckActions {
  /** @param from Null for the whole trail. */
  readonly begin: (from: string | null) => void;
  readonly cancel: () => void;
}

/** Downloads the chain in pieces and verifies it in a worker. */
export function useChainCheck(): ChainCheckState & ChainCheckActions {
  const client = useApiClient();
  const [state, setState] = useState(idle);
  const running = useRef<AbortController>(undefined);
  const cancel = useCallback(() => {
    running.current?.abort();
    setState(idle);
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  const begin = useCallback(
    (from: string | null) => {
      running.current?.abort();
      const control = new AbortController();
      running.current = control;
      const tell = (part: Partial<ChainCheckState>): void => {
        if (!control.signal.aborted) setState((old) => ({ ...old, ...part }));
      };
      setState({ ...idle, phase: 'running' });
      const fetchPiece: FetchPiece = (after) =>
        client.auditTrail.chain.query(
          { after, from: after === 0 ? from : null, depth: 'events' },
          { signal: control.signal },
        );
      checkChain({ fetchPiece, tell, signal: control.signal }).then(
        () => tell({ phase: 'done' }),
        (error: unknown) => tell({ phase: 'failed', error }),
      );
    },
    [client],
  );
  return { ...state, begin, cancel };
}

type FetchPiece = (after: number) => Promise<AuditChain>;

async function checkChain({
  fetchPiece,
  tell,
  signal,
}: {
  readonly fetchPiece: FetchPiece;
  readonly tell: (part: Partial<ChainCheckState>) => void;
  readonly signal: AbortSignal;
}): Promise<void> {
  using worker = openProofWorker();
  let piece = await fetchPiece(0);
  const { head, before, withheld, keys, keptDays, anchors } = piece;
  const kept = readVerifiedBlock();
  const start = before === null ? 0 : before.firstSequence + before.count - 1;
  tell({ head, withheld, keys, keptDays, anchors, kept, start });
  await worker.ask({ kind: 'begin', before, kept });
  while (!signal.aborted && head !== null) {
    const { blocks } = piece;
    const last = blocks.at(-1);
    if (last === undefined) return;
    // Prefetches the next piece while this one is verified.
    const next = last.number < head.number ? fetchPiece(last.number) : null;
    next?.catch(() => {});
    const progress = await worker.ask({ kind: 'piece', piece: { blocks, keys: piece.keys } });
    tell({ progress });
    if (progress.fault !== null) return;
    if (next === null) {
      const end = await worker.ask({ kind: 'end', keptDays });
      tell({ end });
      if (end.fault !== null) return;
      const { number, hash } = last;
      keepBlock({ number, hash, seenAt: new Date(serverNowMs()).toISOString() });
      return;
    }
    piece = await next;
  }
}
