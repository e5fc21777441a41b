import { create } from 'zustand';

interface LiveState {
  readonly live: boolean;
  /** Since when the live channel is missing, by this machine's clock; null while it is connected or not wanted. */
  readonly lostAtMs: number | null;
}

const useLiveState = create<LiveState>(() => ({ live: false, lostAtMs: null }));

export function setLive(live: boolean): void {
  if (isLive() !== live) useLiveState.setState({ live, lostAtMs: live ? null : Date.now() });
}

/** The page opens a live channel: from now on it is missing until it is connected. */
export function expectLive(): void {
  if (!isLive()) useLiveState.setState({ lostAtMs: Date.now() });
}

/** Whether the live channel is connected. */
export function isLive(): boolean {
  return useLiveState.getState().live;
}

/** @returns what ends it */
export function onLiveChange(listener: (state: LiveState) => void): () => void {
  return useLiveState.subscribe(listener);
}

export function useLostAtMs(): number | null {
  return useLiveState().lostAtMs;
}
