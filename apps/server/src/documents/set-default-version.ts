import type { DocumentDetail } from '@deviceportal/contract/documents';
import type { Viewer } from '../platform/viewer.ts';
import { changeVersion, requireState, type DocumentsDeps } from './change-version.ts';
import type { OneVersion } from './send-for-review.ts';

/** @throws PortalError 2003 if the document or version does not exist; 2004 if the version is not active */
export function setDefaultVersion(
  deps: DocumentsDeps,
  viewer: Viewer,
  input: OneVersion,
): Promise<DocumentDetail> {
  return changeVersion(deps, viewer, {
    ...input,
    change: async (held) => {
      requireState(held, ['active']);
      const { defaultVersion } = held.document;
      if (defaultVersion === input.version) return null;
      return {
        type: 'document.default-changed',
        defaultVersion: input.version,
        data: { from: defaultVersion, to: input.version },
      };
    },
  });
}
