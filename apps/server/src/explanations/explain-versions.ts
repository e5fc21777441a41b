import type { Explanation } from '@deviceportal/contract/explanations';
import type { Viewer } from '../platform/viewer.ts';
import { findVersionFacts } from '../versions/find-version-facts.ts';
import { settle, type ExplainDeps } from './explain-deps.ts';
import { versionReasons } from './version-reasons.ts';

/**
 * Why a device does not run its approved versions, for each such component.
 * @throws PortalError 6000
 */
export async function explainVersions(
  deps: Pick<ExplainDeps, 'database' | 'clock'>,
  viewer: Viewer,
  deviceId: string,
): Promise<readonly Explanation[]> {
  const components = await findVersionFacts(deps, viewer, deviceId);
  const now = deps.clock();
  return Promise.all(
    components.map(async (facts) => ({
      about: { component: facts.component, installed: facts.installed },
      reasons: await settle(deps, viewer, versionReasons(facts, now)),
    })),
  );
}
