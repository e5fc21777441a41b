import { SIGNED_URL_MAX_SECONDS } from '@deviceportal/contract/constants';
import type { SoftwareReference } from '@deviceportal/contract/versions';
import type { LinkHolder, PersonLinks } from '../../platform/person-links.ts';
import type { UrlSigner } from '../../platform/files/url-signer.ts';

export const SOFTWARE_UPLOAD_PURPOSE = 'software-upload';
export const SOFTWARE_DOWNLOAD_PURPOSE = 'software-download';

/** A file that is to become the artifact of a version. */
export interface SoftwareUpload extends SoftwareReference {
  readonly name: string;
  readonly bytes: number;
  /** Under which it is stored: the link is for this one upload. */
  readonly key: string;
}

export function uploadSubject({ component, version, name, bytes, key }: SoftwareUpload): string {
  return JSON.stringify([component, version, name, bytes, key]);
}

/** Where one person may `PUT` the file of a version, relative to the site; valid for an hour while they are signed in. */
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

/** A link to a file is made for one device: it serves no other. */
export function downloadSubject(storageKey: string, deviceId: string): string {
  return JSON.stringify([storageKey, deviceId]);
}

/**
 * Where one device gets the file of a version, whole or from where it stopped, relative to the site; for a week at
 * most. Devices tell by the name at its end whether it is to be unpacked.
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
