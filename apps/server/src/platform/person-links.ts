import { SIGNED_URL_DEFAULT_SECONDS } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { digestOfGrant } from './digest-of-grant.ts';
import type { SignedQuery, UrlSigner } from './files/url-signer.ts';
import type { Viewer } from './viewer.ts';

/**
 * The user of a link. The link ends when the user is no longer admitted, with the user's sign-in,
 * and with any temporary access or permanent role that the user had when it was created.
 */
export interface LinkHolder {
  readonly userId: string;
  /** Undefined if the provider does not identify sign-ins. */
  readonly signInId: string | undefined;
  readonly accessGrantIds: readonly string[];
  /** A digest of each permanent role's grant. */
  readonly rights: readonly string[];
}

export function holderOf({
  userId,
  signInId,
  grants,
  temporary = [],
  lasting,
}: Viewer): LinkHolder {
  const accessGrantIds = temporary.map(({ accessGrantId }) => accessGrantId);
  return { userId, signInId, accessGrantIds, rights: (lasting ?? grants).map(digestOfGrant) };
}

export interface PersonLinkQuery extends SignedQuery {
  readonly user?: string | undefined;
  readonly session?: string | undefined;
  /** Temporary access, as comma-separated IDs. */
  readonly access?: string | undefined;
  /** Digests of permanent roles, comma-separated. */
  readonly rights?: string | undefined;
}

/**
 * What a link opens, and the permission check for users who signed it with their own credentials.
 */
export interface LinkedFile {
  readonly purpose: string;
  readonly subject: string;
  readonly mayOpen: (viewer: Viewer) => Promise<boolean>;
}

export interface LinkRequest {
  /** Path and query as in the request line. */
  readonly url: string;
  readonly host: string | undefined;
  readonly address: string;
  readonly query: PersonLinkQuery;
}

/**
 * File links of a single user. The link itself authorizes the request, without headers, so that
 * browsers can download.
 */
export interface PersonLinks {
  /** Query parameters of a link that is valid for at most one hour. */
  sign(file: Pick<LinkedFile, 'purpose' | 'subject'>, holder: LinkHolder): string;
  /** @throws PortalError `notFound` for an invalid link, `noPermission` for an expired one */
  require(file: LinkedFile, request: LinkRequest): Promise<void>;
}

export interface PersonLinksOptions {
  readonly signer: UrlSigner;
  /**
   * Whether the sign-in, the temporary access, and the permanent roles are still valid, and the
   * user is admitted.
   */
  readonly isHolderIn: (holder: LinkHolder) => Promise<boolean>;
  /**
   * The viewer whose temporary credentials signed the URL (SigV4).
   * @throws PortalError like `require`
   */
  readonly findSigner: (request: LinkRequest) => Promise<Viewer>;
}

export function createPersonLinks(options: PersonLinksOptions): PersonLinks {
  const { signer, isHolderIn, findSigner } = options;
  return {
    sign({ purpose, subject }, holder) {
      const { userId: user, signInId, accessGrantIds, rights } = holder;
      const named = new URLSearchParams({
        user,
        ...(signInId && { session: signInId }),
        ...(accessGrantIds.length > 0 && { access: accessGrantIds.join(',') }),
        ...(rights.length > 0 && { rights: rights.join(',') }),
      });
      const signed = signer.sign(purpose, bound(subject, holder), SIGNED_URL_DEFAULT_SECONDS);
      return `${named.toString()}&${signed}`;
    },
    async require(file, request) {
      if (/[?&]X-Amz-Signature=/.test(request.url)) {
        if (!(await file.mayOpen(await findSigner(request)))) throw new PortalError('notFound');
        return;
      }
      const { user: userId = '', session: signInId, access, rights } = request.query;
      const holder: LinkHolder = {
        ...{ userId, signInId },
        ...{ accessGrantIds: partsOf(access), rights: partsOf(rights) },
      };
      const verdict = signer.verify(file.purpose, bound(file.subject, holder), request.query);
      // Return "not found" for invalid links, so that they reveal nothing.
      if (verdict === 'invalid') throw new PortalError('notFound');
      if (verdict === 'expired' || !(await isHolderIn(holder))) throw linkHasEnded();
    },
  };
}

export function linkHasEnded(): PortalError {
  return refuse('link-ended');
}

const partsOf = (list = ''): readonly string[] => (list === '' ? [] : list.split(','));

/** The holder is part of the signed subject and cannot be replaced. */
function bound(subject: string, { userId, signInId, accessGrantIds, rights }: LinkHolder): string {
  return JSON.stringify([subject, userId, signInId ?? null, accessGrantIds, rights]);
}
