import { SIGNED_URL_MAX_SECONDS } from '@deviceportal/contract/constants';
import type { SoftwareReference } from '@deviceportal/contract/versions';
import type { LinkHolder, PersonLinks } from '../../platform/person-links.ts';
import type { UrlSigner } from '../../platform/files/url-signer.ts';

export const SOFTWARE_UPLOAD_PURPOSE = 'software-upload';
export const SOFTWARE_DOWNLOAD_PURPOSE = 'software-download';

/** A file to be attached to a version. */
export interface SoftwareUpload extends SoftwareReference {
  readonly name: string;
  readonly bytes: number;
  /** Storage key: the link is for this upload only. */
  readonly key: string;
}

export function uploadSubject({ component, version, name, bytes, key }: SoftwareUpload): string {
  return JSON.stringify([component, version, name, bytes, key]);
}

/**
 * A link with which one user can `PUT` the file of a version, relative to the site; valid for an hour while the user
 * is signed in.
 */
export function signSoftwareUpload(
  links: PersonLinks,
  upload: SoftwareUpload,
  holder: LinkHolder,
): string {
  const { component, version, name, bytes, key } = upload;
  const file = { purpose: SOFTWARE_UPLOAD_PURPOSE, subject: uploadSubject(upload) };
  const named = new URLSearchParams({ component, version, name, bytes: String(bytes), key });
  return `/software-files?${named.toString()}&${links.sign(file, holder)}`;
}

/** A download link is for one device and works for no other. */
export function downloadSubject(storageKey: string, deviceId: string): string {
  return JSON.stringify([storageKey, deviceId]);
}

/**
 * A link with which one device can download the file of a version, completely or from an offset, relative to the
 * site; valid for at most a week. Devices decide by the file name at its end whether to unpack it.
 */
export function signSoftwareDownload(
  signer: UrlSigner,
  options: {
    readonly storageKey: string;
    readonly name: string;
    readonly deviceId: string;
    readonly validSeconds: number;
  },
): string {
  const { storageKey, name, deviceId, validSeconds } = options;
  const seconds = Math.min(Math.max(1, validSeconds), SIGNED_URL_MAX_SECONDS);
  const subject = downloadSubject(storageKey, deviceId);
  const signed = signer.sign(SOFTWARE_DOWNLOAD_PURPOSE, subject, seconds);
  return `/device-software/${storageKey}/${encodeURIComponent(name)}?device=${deviceId}&${signed}`;
}
