import { SIGNED_URL_DEFAULT_SECONDS } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { digestOfGrant } from './digest-of-grant.ts';
import type { SignedQuery, UrlSigner } from './files/url-signer.ts';
import type { Viewer } from './viewer.ts';

/**
 * Whom a link was made for: it ends when they may no longer use the portal, with the sign-in it was made in, and with
 * any temporary access or lasting role that they had then.
 */
export interface LinkHolder {
  readonly userId: string;
  /** Undefined where the provider does not tell sign-ins apart. */
  readonly signInId: string | undefined;
  readonly elevationIds: readonly string[];
  /** A digest of what each lasting role allowed. */
  readonly rights: readonly string[];
}

export function holderOf({
  userId,
  signInId,
  grants,
  temporary = [],
  lasting,
}: Viewer): LinkHolder {
  const elevationIds = temporary.map(({ elevationId }) => elevationId);
  return { userId, signInId, elevationIds, rights: (lasting ?? grants).map(digestOfGrant) };
}

export interface PersonLinkQuery extends SignedQuery {
  readonly user?: string | undefined;
  readonly session?: string | undefined;
  /** Temporary access, as ids with commas between. */
  readonly access?: string | undefined;
  /** Digests of lasting roles, with commas between. */
  readonly rights?: string | undefined;
}

/** What a link opens, and by which rule somebody may who signed it with their own credentials. */
export interface LinkedFile {
  readonly purpose: string;
  readonly subject: string;
  readonly mayOpen: (viewer: Viewer) => Promise<boolean>;
}

export interface LinkRequest {
  /** Path and query as they stand in the request line. */
  readonly url: string;
  readonly host: string | undefined;
  readonly address: string;
  readonly query: PersonLinkQuery;
}

/** Links to files made for one person. The link is the right: it needs no header, so that a browser can download. */
export interface PersonLinks {
  /** Query parameters of a link that is valid for an hour at most. */
  sign(file: Pick<LinkedFile, 'purpose' | 'subject'>, holder: LinkHolder): string;
  /** @throws PortalError `notFound` for a link that is wrong, `noPermission` for one that has ended */
  require(file: LinkedFile, request: LinkRequest): Promise<void>;
}

export interface PersonLinksOptions {
  readonly signer: UrlSigner;
  /** Whether the sign-in, the temporary access and the lasting roles go on, and the portal lets the person in. */
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
      const { userId: user, signInId, elevationIds, rights } = holder;
      const named = new URLSearchParams({
        user,
        ...(signInId && { session: signInId }),
        ...(elevationIds.length > 0 && { access: elevationIds.join(',') }),
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
        ...{ elevationIds: partsOf(access), rights: partsOf(rights) },
      };
      const verdict = signer.verify(file.purpose, bound(file.subject, holder), request.query);
      // What a wrong link names does not exist for who holds it.
      if (verdict === 'invalid') throw new PortalError('notFound');
      if (verdict === 'expired' || !(await isHolderIn(holder))) throw linkHasEnded();
    },
  };
}

export function linkHasEnded(): PortalError {
  return refuse('link-ended');
}

const partsOf = (list = ''): readonly string[] => (list === '' ? [] : list.split(','));

/** The holder is part of what is signed: nobody puts another in. */
function bound(subject: string, { userId, signInId, elevationIds, rights }: LinkHolder): string {
  return JSON.stringify([subject, userId, signInId ?? null, elevationIds, rights]);
}
