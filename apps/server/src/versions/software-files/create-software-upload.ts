import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type {
  createSoftwareUploadInput,
  SoftwareUploadLink,
} from '@deviceportal/contract/versions';
import { refuse } from '@deviceportal/contract/refuse';
import { holderOf, type LinkHolder } from '../../platform/person-links.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { requireWholeFleet } from '../approval-scope-policy.ts';
import { requireOpenForArtifact } from './attach-artifact.ts';
import type { SoftwareUpload } from './sign-software-url.ts';
import type { VersionsDeps } from '../versions-deps.ts';

export interface UploadDeps extends VersionsDeps {
  readonly softwareArtifactLimitBytes: number;
  readonly signSoftwareUpload: (upload: SoftwareUpload, holder: LinkHolder) => string;
}

/**
 * Creates an upload link for the file of a version. Checks everything in advance that the upload would be rejected
 * for.
 * @throws PortalError 2003 for an unknown version; 2004 if no file may be attached to it, or the file is too large
 */
export async function createSoftwareUpload(
  deps: UploadDeps,
  viewer: Viewer,
  input: z.infer<typeof createSoftwareUploadInput>,
): Promise<SoftwareUploadLink> {
  requireWholeFleet(viewer);
  const { component, version, name, bytes } = input;
  const limitBytes = deps.softwareArtifactLimitBytes;
  if (bytes > limitBytes) {
    throw refuse('file-too-large', { field: 'bytes', facts: { limitBytes } });
  }
  await requireOpenForArtifact(deps.database.orm, input);
  const upload = { component, version, name, bytes, key: randomUUID() };
  return { url: deps.signSoftwareUpload(upload, holderOf(viewer)) };
}
