import { PortalError } from '@deviceportal/contract/errors';
import type { IdentityParts } from './compose-identity.ts';
import type { SharedSecrets } from './compose-gateway.ts';
import type { Composition } from './composition.ts';
import type { EmbeddedBroker } from './gateway/embedded-transport.ts';
import { createLiveChannel } from './live-channel/live-channel.ts';
import type { ViewerFinder } from './session/find-viewer.ts';

/** MQTT over WebSocket on this origin, for whoever comes with a signed URL. */
export function composeLiveChannel(
  { platform, resources }: Composition,
  parts: IdentityParts &
    SharedSecrets & { readonly viewers: ViewerFinder; readonly broker: EmbeddedBroker },
): void {
  const { identity, viewers, broker, vault } = parts;
  const { database, changes, logger, http } = platform;
  resources.use(
    createLiveChannel({
      database,
      changes,
      vault,
      logger,
      viewers: broker.viewers,
      server: http.server,
      verify: (request) => identity.verifySignedUrl(request),
      findGrants: async ({ sub, groups, originJti }) => {
        if (originJti !== null && (await identity.isSignInRevoked(originJti)))
          throw new PortalError('invalidSession', { detail: 'signed out' });
        return (await viewers.findBySubject(sub, groups)).grants;
      },
    }),
  );
}
