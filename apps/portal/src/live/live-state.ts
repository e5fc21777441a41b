import { create } from 'zustand';

const useLive = create<{ readonly live: boolean }>(() => ({ live: false }));

export function setLive(live: boolean): void {
  if (useLive.getState().live !== live) useLive.setState({ live });
}

/** Whether the live channel is connected. */
export function useIsLive(): boolean {
  return useLive().live;
}
