import type { z } from 'zod';
import type { createImportClaimInput, ImportClaim } from '@deviceportal/contract/imports';
import { refuse } from '@deviceportal/contract/refuse';
import { createImportClaim } from '../devices/claims/create-import-claim.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { updateImport } from './data/import-queries.ts';
import { findAddedTargets } from './data/import-row-queries.ts';
import type { ImportsDeps } from './imports-deps.ts';
import { requireImport } from './require-import.ts';

const HOUR_MS = 3_600_000;

/**
 * Creates the claim for the devices that an import has added, once. Its token is shown only in this answer.
 * @throws PortalError 2003, 1000; 2004 without such devices, or if there is a claim
 */
export async function createClaimOfImport(
  deps: ImportsDeps,
  caller: Caller,
  { id, lifetimeHours }: z.infer<typeof createImportClaimInput>,
): Promise<ImportClaim> {
  const expiresAt = new Date(deps.clock().getTime() + lifetimeHours * HOUR_MS);
  const claim = await inTransaction(deps.database, async (tx) => {
    const { kind, state, hasClaim } = await requireImport(tx, caller.viewer, id);
    if (state !== 'applied') throw refuse('import-state-differs');
    if (hasClaim) throw refuse('import-claim-exists');
    const deviceIds = kind === 'devices' ? await findAddedTargets(tx, id) : [];
    if (deviceIds.length === 0) throw refuse('import-without-new-devices');
    await updateImport(tx, id, { hasClaim: true });
    return createImportClaim(tx, caller, { deviceIds, expiresAt });
  });
  return { ...claim, installCommand: await deps.installCommand(claim.token) };
}
