import {
  createScimConnectionInput,
  editScimConnectionInput,
  rotateScimTokenInput,
  scimConnectionReference,
  type NewScimToken,
  type ScimConnections,
} from '@deviceportal/contract/scim';
import { permitted, router } from '../../../platform/api.ts';
import type { AccessDeps } from '../../access-deps.ts';
import { listConnections } from '../../data/scim/scim-connection-queries.ts';
import { SCIM_PATH } from '../scim-path.ts';
import { createConnection } from './create-connection.ts';
import { editConnection } from './edit-connection.ts';
import { revokeConnection } from './revoke-connection.ts';
import { rotateToken } from './rotate-token.ts';

export function createConnectionsRouter(deps: AccessDeps) {
  return router({
    list: permitted('access:read').query(async (): Promise<ScimConnections> => ({
      url: `${deps.publicUrl}${SCIM_PATH}`,
      connections: await listConnections(deps.database.orm),
      createsUsers: deps.directory.administration !== undefined,
    })),
    create: permitted('access:manage', 'grants-rights')
      .input(createScimConnectionInput)
      .mutation(({ ctx, input }): Promise<NewScimToken> => createConnection(deps, ctx, input)),
    edit: permitted('access:manage', 'grants-rights')
      .input(editScimConnectionInput)
      .mutation(({ ctx, input }): Promise<void> => editConnection(deps, ctx, input)),
    rotate: permitted('access:manage', 'grants-rights')
      .input(rotateScimTokenInput)
      .mutation(({ ctx, input }): Promise<NewScimToken> => rotateToken(deps, ctx, input)),
    revoke: permitted('access:manage')
      .input(scimConnectionReference)
      .mutation(({ ctx, input }): Promise<void> => revokeConnection(deps, ctx, input.id)),
  });
}
