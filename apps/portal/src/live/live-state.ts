import { create } from 'zustand';

interface LiveState {
  readonly live: boolean;
  /**
   * The time at which the live channel was lost, by the clock of this machine. Null while it is
   * connected or not used.
   */
  readonly lostAtMs: number | null;
}

const useLiveState = create<LiveState>(() => ({ live: false, lostAtMs: null }));

export function setLive(live: boolean): void {
  if (isLive() !== live) useLiveState.setState({ live, lostAtMs: live ? null : Date.now() });
}

/** Called when the page opens a live channel, which counts as lost until it is connected. */
export function expectLive(): void {
  if (!isLive()) useLiveState.setState({ lostAtMs: Date.now() });
}

/** Whether the live channel is connected. */
export function isLive(): boolean {
  return useLiveState.getState().live;
}

/** @returns A function that removes the listener. */
export function onLiveChange(listener: (state: LiveState) => void): () => void {
  return useLiveState.subscribe(listener);
}

export function useLostAtMs(): number | null {
  return useLiveState().lostAtMs;
}
