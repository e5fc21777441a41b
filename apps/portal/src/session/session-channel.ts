const CHANNEL = 'deviceportal.session';

/** Messages between tabs of one browser. */
export type SessionNews =
  | { readonly kind: 'signed-in'; readonly subject: string }
  | { readonly kind: 'signed-out' };

export function tellTabs(news: SessionNews): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(news);
  channel.close();
}

/** Returns a function that removes the listener. */
export function listenToTabs(listener: (news: SessionNews) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<SessionNews>) => listener(data));
  return () => channel.close();
}
