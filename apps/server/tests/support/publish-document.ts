import type { DocumentDetail } from '@deviceportal/contract/documents';
import { approveVersion } from '../../src/documents/decide-review.ts';
import type { DocumentsDeps } from '../../src/documents/change-version.ts';
import { sendForReview } from '../../src/documents/send-for-review.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { origin, viewerWith } from './command-fixture.ts';

/** Submits a version for review as one user and approves it as another. */
export async function publishVersion(
  deps: DocumentsDeps,
  sender: Viewer,
  {
    name,
    version,
    makeDefault = true,
  }: {
    readonly name: string;
    readonly version: number;
    readonly makeDefault?: boolean;
  },
): Promise<DocumentDetail> {
  await sendForReview(deps, sender, { name, version, origin });
  const reviewer = viewerWith('Administrator');
  return approveVersion(deps, reviewer, { name, version, makeDefault, comment: '', origin });
}
