import type { createProgramKeyInput, MadeProgramKey } from '@deviceportal/contract/provider-admin';
import { holds } from '@deviceportal/contract/permissions';
import type { z } from 'zod';
import { originOf } from '../access/act-origin.ts';
import { findRequiredAccessGrant } from '../access/access-grants/find-required-access-grant.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { requireProvider, type ProviderAdminDeps } from './provider-admin-deps.ts';

/**
 * Creates an access key for an application. A key created with temporary access expires with it, as do its tokens.
 * @throws PortalError 2003 for an unknown application
 */
export function createApplicationKey(
  deps: ProviderAdminDeps,
  caller: Caller,
  input: z.output<typeof createProgramKeyInput>,
): Promise<MadeProgramKey> {
  const { accessKeys } = requireProvider(deps);
  return inTransaction(deps.database, async (tx) => {
    const bond = await findRequiredAccessGrant(tx, caller.viewer, (grants) =>
      holds(grants, 'provider:manage'),
    );
    const accessGrant = bond && { id: bond.accessGrantId, endsAt: new Date(bond.endsAt) };
    return { ...(await accessKeys.create({ ...input, accessGrant }, originOf(caller))), bond };
  });
}
