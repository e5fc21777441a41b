import { FILE_CONTENT_SECONDS } from '@deviceportal/contract/device-files';
import type { UrlSigner } from '../platform/files/url-signer.ts';
import type { LinkHolder, PersonLinks } from '../platform/person-links.ts';
import type { FileRequestRow } from './data/device-file-queries.ts';

export const DEVICE_PURPOSES = { send: 'device-file-send', fetch: 'device-file-fetch' } as const;
export const CONTENT_PURPOSE = 'device-file-content';
export const TOKEN_CONTENT_PURPOSE = 'device-file-content-of-token';
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
  /** For an application with an API token. */
  readonly signTokenUrl: (requestId: string, tokenId: string) => string;
  readonly signUploadUrl: (upload: FileLink, holder: LinkHolder) => string;
}

export const tokenSubject = (requestId: string, tokenId: string): string =>
  JSON.stringify([requestId, tokenId]);

/** Unlike a link of a user, it does not end with a role. */
const TOKEN_LINK_SECONDS = 300;

/** Links to content of requests, relative to the site, valid for an hour unless stated otherwise. */
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
    signTokenUrl(id, tokenId) {
      const subject = tokenSubject(id, tokenId);
      const signed = signer.sign(TOKEN_CONTENT_PURPOSE, subject, TOKEN_LINK_SECONDS);
      return `/device-file-contents/${id}?by=${tokenId}&${signed}`;
    },
    signUploadUrl(link, holder) {
      const signed = links.sign({ purpose: UPLOAD_PURPOSE, subject: uploadSubject(link) }, holder);
      return `/device-file-uploads/${link.id}?${signed}`;
    },
  };
}
