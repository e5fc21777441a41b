import type { InstallationSecrets } from '@deviceportal/contract/installation';
import { permitted, router } from '../platform/api.ts';

export interface InstallationRouterDeps {
  readonly describeSecrets: () => Promise<InstallationSecrets>;
}

export function createInstallationRouter({ describeSecrets }: InstallationRouterDeps) {
  return router({
    keys: permitted('access:read').query(() => describeSecrets()),
  });
}
