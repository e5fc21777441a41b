import type { UrlSigner } from '../../platform/files/url-signer.ts';
import type { PersonLinks } from '../../platform/person-links.ts';
import type { VersionsDeps } from '../versions-deps.ts';
import type { FileStore } from '../../platform/files/file-store.ts';

export interface SoftwareRoutesDeps extends VersionsDeps {
  /** For links of devices. */
  readonly signer: UrlSigner;
  /** For links of users. */
  readonly links: PersonLinks;
  readonly files: FileStore;
}
