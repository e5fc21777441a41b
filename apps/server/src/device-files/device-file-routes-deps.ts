import type { UrlSigner } from '../platform/files/url-signer.ts';
import type { PersonLinks } from '../platform/person-links.ts';
import type { FileContentDeps } from './device-files-deps.ts';

export interface DeviceFileRoutesDeps extends FileContentDeps {
  /** For links of devices. */
  readonly signer: UrlSigner;
  /** For links of users. */
  readonly links: PersonLinks;
}
