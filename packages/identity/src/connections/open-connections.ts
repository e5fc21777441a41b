import type { ProviderContext } from '../provider/provider-context.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { webConnections } from './find-connection.ts';
import { createInteractions } from './interactions.ts';
import type { Upstream } from './upstream/upstream.ts';
import { createUpstream } from './upstream/create-upstream.ts';

/** The external providers of this installation, and the sign-ins in progress at them. */
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
