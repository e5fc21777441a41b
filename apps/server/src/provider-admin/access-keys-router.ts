import {
  createProgramKeyInput,
  listAccessKeysInput,
  programKeyReference,
  type MadeProgramKey,
  type ProgramKeyPage,
} from '@deviceportal/contract/provider-admin';
import { z } from 'zod';
import { originOf } from '../access/act-origin.ts';
import { permitted, router } from '../platform/api.ts';
import { decodeCursor } from '../platform/keyset-cursor.ts';
import { createApplicationKey } from './create-application-key.ts';
import { pageOf } from './page-of.ts';
import { requireProvider, type ProviderAdminDeps } from './provider-admin-deps.ts';
import { utcMomentSchema } from '@deviceportal/contract/moment';
import { refuse } from '@deviceportal/contract/refuse';

export function createAccessKeysRouter(deps: ProviderAdminDeps) {
  const keys = () => requireProvider(deps).accessKeys;
  return router({
    list: permitted('provider:read')
      .input(listAccessKeysInput)
      .query(async ({ input: { pageSize, cursor } }): Promise<ProgramKeyPage> => {
        const rows = await keys().list({ after: readPlace(cursor), limit: pageSize + 1 });
        return pageOf(rows, pageSize, (key) => [key.createdAt, key.accessKeyId]);
      }),
    create: permitted('provider:manage', 'grants-rights')
      .input(createProgramKeyInput)
      .mutation(({ ctx, input }): Promise<MadeProgramKey> =>
        createApplicationKey(deps, ctx, input),
      ),
    revoke: permitted('provider:manage')
      .input(programKeyReference)
      .mutation(({ ctx, input }): Promise<void> => keys().revoke(input.accessKeyId, originOf(ctx))),
  });
}

const placeSchema = z.tuple([utcMomentSchema, z.string()]);

function readPlace(cursor: string | null) {
  if (cursor === null) return undefined;
  const parsed = placeSchema.safeParse(decodeCursor(cursor, 2));
  if (parsed.success) return { createdAt: parsed.data[0], accessKeyId: parsed.data[1] };
  throw refuse('cursor-invalid', { field: 'cursor' });
}
