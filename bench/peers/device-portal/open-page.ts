import { openLiveWatch, type LiveWatch } from '../../support/live-watch.ts';
import { signInToPortal, type PortalClient } from '../../support/portal-client.ts';

/** A page of a signed-in user: API and live channel. */
export interface OpenPage extends AsyncDisposable {
  readonly client: PortalClient;
  readonly live: LiveWatch;
}

export async function openPage(url: string, username: string): Promise<OpenPage> {
  const client = await signInToPortal(url, username);
  const live = await openLiveWatch(client);
  return { client, live, [Symbol.asyncDispose]: () => live[Symbol.asyncDispose]() };
}
