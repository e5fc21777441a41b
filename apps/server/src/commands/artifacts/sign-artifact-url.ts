import { SIGNED_URL_MAX_SECONDS } from '@deviceportal/contract/constants';
import type { LinkHolder, PersonLinks } from '../../platform/person-links.ts';
import type { UrlSigner } from '../../platform/files/url-signer.ts';

export const UPLOAD_PURPOSE = 'artefact-upload';
export const DOWNLOAD_PURPOSE = 'artefact-download';

/**
 * Upload URL for the files of an invocation: `PUT {url}&name={file}`. Valid as long as the invocation accepts files, at
 * most a week.
 */
export function signArtifactUpload(
  signer: UrlSigner,
  options: {
    readonly baseUrl: string;
    readonly invocationId: string;
    readonly validSeconds: number;
  },
): string {
  const { baseUrl, invocationId, validSeconds } = options;
  const seconds = Math.min(Math.max(1, validSeconds), SIGNED_URL_MAX_SECONDS);
  const signed = signer.sign(UPLOAD_PURPOSE, invocationId, seconds);
  return `${baseUrl}/device-artefacts/${invocationId}?${signed}`;
}

/** A link to a collected file for one user, relative to the site, valid for an hour while they are signed in. */
export function signArtifactDownload(
  links: PersonLinks,
  artifactId: string,
  holder: LinkHolder,
): string {
  const signed = links.sign({ purpose: DOWNLOAD_PURPOSE, subject: artifactId }, holder);
  return `/artefacts/${artifactId}?${signed}`;
}
