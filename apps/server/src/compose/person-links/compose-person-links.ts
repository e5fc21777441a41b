import { PortalError } from '@deviceportal/contract/errors';
import { SignedUrlError, type SignedUrlFault } from '@deviceportal/identity/signed-url-error';
import type { IdentityParts } from '../compose-identity.ts';
import { validHolderFinder } from './valid-holder-finder.ts';
import type { Platform } from '../../platform/platform.ts';
import { createPersonLinks, linkHasEnded, type PersonLinks } from '../../platform/person-links.ts';
import type { UrlSigner } from '../../platform/files/url-signer.ts';
import type { ViewerFinder } from '../../session/find-viewer.ts';

/** Faults of links that were valid before. Their users are asked to request a new link. */
const ended: ReadonlySet<SignedUrlFault> = new Set([
  'expired',
  'credentialsExpired',
  'signedOut',
  'userDisabled',
]);

/** Links to files, signed by the server for a user, or by the user's temporary credentials. */
export function composePersonLinks(
  platform: Pick<Platform, 'config' | 'database'>,
  parts: Pick<IdentityParts, 'identity' | 'provider'> & {
    readonly signer: UrlSigner;
    readonly viewers: ViewerFinder;
  },
): PersonLinks {
  const { identity, signer, viewers } = parts;
  const findValidHolders = validHolderFinder(platform, parts);
  return createPersonLinks({
    signer,
    isHolderIn: async (holder) => (await findValidHolders([holder])).has(holder),
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
