const CHANNEL = 'deviceportal.session';

/** What tabs of one browser tell each other. */
export type SessionNews =
  | { readonly kind: 'signed-in'; readonly subject: string }
  | { readonly kind: 'signed-out' };

export function tellTabs(news: SessionNews): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(news);
  channel.close();
}

/** Answers a function that stops listening. */
export function hearTabs(listener: (news: SessionNews) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<SessionNews>) => listener(data));
  return () => channel.close();
}
