import { TERMINAL_SOCKET_PATH } from '@deviceportal/contract/terminals';
import type { Grant } from '@deviceportal/contract/permissions';
import { loadGrantsOfPeople } from '../access/load-grants-of-people.ts';
import type { IdentityParts } from './compose-identity.ts';
import type { SharedSecrets } from './compose-gateway.ts';
import type { Composition } from './composition.ts';
import type { EmbeddedBroker } from '../gateway/embedded-transport.ts';
import { createLiveChannel } from '../live-channel/live-channel.ts';
import type { LiveIdentity } from '../live-channel/viewer-identity.ts';
import { withAdministratorPasskeys } from '../passkeys/require-administrator-passkeys.ts';
import { clientAddressFinder } from '../platform/http/client-address.ts';

/** MQTT over WebSocket on this origin, for clients with a signed URL. */
export function composeLiveChannel(
  { platform, resources }: Composition,
  parts: IdentityParts & SharedSecrets & { readonly broker: EmbeddedBroker },
): void {
  const { identity, broker, vault } = parts;
  const { config, database, changes, logger, http } = platform;
  resources.use(
    createLiveChannel({
      database,
      changes,
      vault,
      logger,
      viewers: broker.viewers,
      otherPaths: [TERMINAL_SOCKET_PATH],
      server: http.server,
      identityPoolId: identity.settings.identityPoolId,
      addressOf: clientAddressFinder(config.trustedProxies),
      verify: (request) => identity.verifySignedUrl(request),
      async findGrants(identities) {
        const inForce = await identity.findSignInsInForce(identities.filter(isOwnSignIn));
        // External providers do not report ended sign-ins, so the portal's own data applies.
        const groupsOf = (one: LiveIdentity) =>
          isOwnSignIn(one) ? inForce.get(one.originJti) : one.groups;
        const people = identities.flatMap((one) => {
          const groups = groupsOf(one);
          return groups === undefined ? [] : [{ subject: one.sub, groups }];
        });
        const held = await loadGrantsOfPeople({ database }, people);
        const grants = config.signIn.administratorPasskeys
          ? await withAdministratorPasskeys(held, identity.passkeys)
          : held;
        return new Map<LiveIdentity, readonly Grant[]>(
          identities.flatMap((one) => {
            const found = groupsOf(one) === undefined ? undefined : grants.get(one.sub);
            return found === undefined ? [] : [[one, found]];
          }),
        );
      },
    }),
  );
}

function isOwnSignIn(one: LiveIdentity): one is LiveIdentity & { readonly originJti: string } {
  return one.originJti !== null;
}
