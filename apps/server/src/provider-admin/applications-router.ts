import {
  editProviderApplicationInput,
  providerApplicationInput,
  providerApplicationReference,
  type MadeApplication,
  type ProviderApplication,
} from '@deviceportal/contract/provider-admin';
import { originOf } from '../access/act-origin.ts';
import { permitted, router } from '../platform/api.ts';
import { permittedPermanently } from './permitted-permanently.ts';
import { requireProvider, type ProviderAdminDeps } from './provider-admin-deps.ts';

export function createApplicationsRouter(deps: ProviderAdminDeps) {
  const applications = () => requireProvider(deps).applications;
  return router({
    list: permitted('provider:read').query((): Promise<readonly ProviderApplication[]> =>
      applications().list(),
    ),
    create: permittedPermanently('grants-rights')
      .input(providerApplicationInput)
      .mutation(({ ctx, input }): Promise<MadeApplication> =>
        applications().create(input, originOf(ctx)),
      ),
    edit: permittedPermanently('grants-rights')
      .input(editProviderApplicationInput)
      .mutation(({ ctx, input: { appId, ...input } }): Promise<void> =>
        applications().edit(appId, input, originOf(ctx)),
      ),
    rotateSecret: permittedPermanently('grants-rights')
      .input(providerApplicationReference)
      .mutation(({ ctx, input }): Promise<MadeApplication> =>
        applications().rotateSecret(input.appId, originOf(ctx)),
      ),
    remove: permitted('provider:manage', 'destroys')
      .input(providerApplicationReference)
      .mutation(({ ctx, input }): Promise<void> =>
        applications().remove(input.appId, originOf(ctx)),
      ),
  });
}
