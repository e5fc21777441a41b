import {
  providerApplicationReference,
  samlMetadataInput,
  saveSamlServiceInput,
  type SamlMetadata,
  type SamlServiceRow,
} from '@deviceportal/contract/provider-admin';
import { originOf } from '../access/act-origin.ts';
import { permitted, router } from '../platform/api.ts';
import { permittedPermanently } from './permitted-permanently.ts';
import { requireProvider, type ProviderAdminDeps } from './provider-admin-deps.ts';

export function createSamlServicesRouter(deps: ProviderAdminDeps) {
  const services = () => requireProvider(deps).samlServices;
  return router({
    list: permitted('provider:read').query((): Promise<readonly SamlServiceRow[]> =>
      services().list(),
    ),
    /** Changes nothing; a mutation because metadata is too long for a query. */
    readMetadata: permitted('provider:manage')
      .input(samlMetadataInput)
      .mutation(({ input }): SamlMetadata => services().readMetadata(input.metadata)),
    save: permittedPermanently('grants-rights')
      .input(saveSamlServiceInput)
      .mutation(({ ctx, input }): Promise<void> => services().save(input, originOf(ctx))),
    remove: permitted('provider:manage', 'destroys')
      .input(providerApplicationReference)
      .mutation(({ ctx, input }): Promise<void> => services().remove(input.appId, originOf(ctx))),
  });
}
