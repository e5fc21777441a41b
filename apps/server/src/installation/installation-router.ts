import type { InstallationSecrets, InstallationSetup } from '@deviceportal/contract/installation';
import { permitted, router } from '../platform/api.ts';
import { getSetup, type SetupDeps } from './get-setup.ts';

export interface InstallationRouterDeps extends SetupDeps {
  readonly describeSecrets: () => Promise<InstallationSecrets>;
}

export function createInstallationRouter(deps: InstallationRouterDeps) {
  return router({
    keys: permitted('access:read').query(() => deps.describeSecrets()),
    getSetup: permitted('access:manage').query(({ ctx }): Promise<InstallationSetup> =>
      getSetup(deps, ctx.viewer),
    ),
  });
}
