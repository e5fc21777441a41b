import type { ProviderContext } from '../provider/provider-context.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { webConnections } from './find-connection.ts';
import { createInteractions } from './interactions.ts';
import type { Upstream } from './upstream/upstream.ts';
import { createUpstream } from './upstream/create-upstream.ts';

/** The other sides of this installation, and the sign-ins at them that go on. */
export function openConnections(context: ProviderContext): ConnectionDeps {
  const ownName = `${context.settings.baseUrl}/connections/saml`;
  const upstreams = new Map(
    webConnections(context).map((each): [string, Upstream] => [
      each.identifier,
      createUpstream(each, `${ownName}/${each.identifier}`),
    ]),
  );
  return { context, upstreams, interactions: createInteractions(context) };
}
