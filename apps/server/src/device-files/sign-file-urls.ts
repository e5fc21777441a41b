import { FILE_CONTENT_SECONDS } from '@deviceportal/contract/device-files';
import type { UrlSigner } from '../platform/files/url-signer.ts';
import type { LinkHolder, PersonLinks } from '../platform/person-links.ts';
import type { FileRequestRow } from './data/device-file-queries.ts';

export const DEVICE_PURPOSES = { send: 'device-file-send', fetch: 'device-file-fetch' } as const;
export const CONTENT_PURPOSE = 'device-file-content';
export const UPLOAD_PURPOSE = 'device-file-upload';

/** What a link to upload a file is bound to: a row that was changed in between fits no link. */
export type FileLink = Pick<
  FileRequestRow,
  'id' | 'deviceId' | 'path' | 'bytes' | 'overwrites' | 'userId' | 'reason'
>;

export const uploadSubject = (link: FileLink): string => {
  const { id, deviceId, path, bytes, overwrites, userId, reason } = link;
  return JSON.stringify([id, deviceId, path, bytes, overwrites, userId, reason]);
};

export interface FileLinks {
  /** For the device. */
  readonly signDeviceUrl: (requestId: string, use: 'send' | 'fetch') => string;
  /** For the user. */
  readonly signContentUrl: (requestId: string, holder: LinkHolder) => string;
  readonly signUploadUrl: (upload: FileLink, holder: LinkHolder) => string;
}

/** Links to content of requests, relative to the site, valid for an hour. */
export function createFileLinks({
  signer,
  links,
}: {
  readonly signer: UrlSigner;
  readonly links: PersonLinks;
}): FileLinks {
  return {
    signDeviceUrl(id, use) {
      const signed = signer.sign(DEVICE_PURPOSES[use], id, FILE_CONTENT_SECONDS);
      return `/device-files/${id}?${signed}`;
    },
    signContentUrl(id, holder) {
      const signed = links.sign({ purpose: CONTENT_PURPOSE, subject: id }, holder);
      return `/device-file-contents/${id}?${signed}`;
    },
    signUploadUrl(link, holder) {
      const signed = links.sign({ purpose: UPLOAD_PURPOSE, subject: uploadSubject(link) }, holder);
      return `/device-file-uploads/${link.id}?${signed}`;
    },
  };
}
