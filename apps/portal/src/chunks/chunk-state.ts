import { create } from 'zustand';

/** Milliseconds of retries before they are shown. */
const SLOW_AFTER_MS = 3_000;

export interface ChunkState {
  /** A file of the portal has been retried for some seconds. */
  readonly isSlow: boolean;
  /** A file cannot be loaded any more by this document, because a new release replaced it. */
  readonly isReplaced: boolean;
}

export const useChunkState = create<ChunkState>(() => ({ isSlow: false, isReplaced: false }));

const retried = new Set<string>();
let slowTimer: ReturnType<typeof setTimeout> | undefined;

export function retryStarted(url: string): void {
  retried.add(url);
  slowTimer ??= setTimeout(() => useChunkState.setState({ isSlow: true }), SLOW_AFTER_MS);
}

export function retryEnded(url: string): void {
  if (!retried.delete(url) || retried.size > 0) return;
  clearTimeout(slowTimer);
  slowTimer = undefined;
  useChunkState.setState({ isSlow: false });
}

export function chunksReplaced(): void {
  if (!useChunkState.getState().isReplaced) useChunkState.setState({ isReplaced: true });
}

/** Calls the listener when a new release has replaced the files of this document. */
export function whenReplaced(listener: () => void): () => void {
  const stop = useChunkState.subscribe(({ isReplaced }) => {
    if (isReplaced) listener();
  });
  if (useChunkState.getState().isReplaced) listener();
  return stop;
}
