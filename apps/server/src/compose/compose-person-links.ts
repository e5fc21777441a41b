import { PortalError } from '@deviceportal/contract/errors';
import { SignedUrlError, type SignedUrlFault } from '@deviceportal/identity/signed-url-error';
import { isAccessGrantRunning } from '../access/data/access-grant-bonds.ts';
import { findPermanentGrants } from '../access/data/user-queries.ts';
import type { IdentityParts } from './compose-identity.ts';
import { digestOfGrant } from '../platform/digest-of-grant.ts';
import { hasOwnUserPool } from '../platform/config/provider-origins.ts';
import type { Platform } from '../platform/platform.ts';
import { createPersonLinks, linkHasEnded, type PersonLinks } from '../platform/person-links.ts';
import type { UrlSigner } from '../platform/files/url-signer.ts';
import type { ViewerFinder } from '../session/find-viewer.ts';

/** Faults of links that were valid before. Their users are asked to request a new link. */
const ended: ReadonlySet<SignedUrlFault> = new Set([
  'expired',
  'credentialsExpired',
  'signedOut',
  'userDisabled',
]);

/** Links to files, signed by the server for a user, or by the user's temporary credentials. */
export function composePersonLinks(
  { config, database }: Pick<Platform, 'config' | 'database'>,
  parts: Pick<IdentityParts, 'identity' | 'provider'> & {
    readonly signer: UrlSigner;
    readonly viewers: ViewerFinder;
  },
): PersonLinks {
  const { identity, provider, signer, viewers } = parts;
  return createPersonLinks({
    signer,
    async isHolderIn({ userId, signInId, accessGrantIds, rights }) {
      const lasting = await findPermanentGrants(database.orm, userId);
      if (lasting === undefined) return false;
      const held = new Set(lasting.map(digestOfGrant));
      if (!rights.every((right) => held.has(right))) return false;
      for (const id of accessGrantIds)
        if (!(await isAccessGrantRunning(database.orm, id))) return false;
      // External providers do not report ended sign-ins.
      if (signInId === undefined || config.providerSet.source !== 'embedded') return true;
      if (hasOwnUserPool(config.providerSet)) return identity.isSignInOpen(signInId);
      return (await provider?.findRolesOfOpenSignIn(signInId)) !== undefined;
    },
    async findSigner(request) {
      const { sub, groups } = await identity.verifyFileLink(request).catch((error: unknown) => {
        if (!(error instanceof SignedUrlError)) throw error;
        throw ended.has(error.fault)
          ? linkHasEnded()
          : new PortalError('notFound', { detail: error.message });
      });
      return viewers.findBySubject(sub, groups);
    },
  });
}
