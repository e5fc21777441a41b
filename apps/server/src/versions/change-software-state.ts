import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import type { changeSoftwareStateInput } from '@deviceportal/contract/versions';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit, type AuditDraft } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { requireWholeFleet } from './approval-scope-policy.ts';
import { restateAtOnce } from './restate-devices.ts';
import { lockSoftware, refreshCellStates, setSoftwareState } from './software-store.ts';
import { mayBecome } from './software-state-policy.ts';
import type { VersionsDeps } from './versions-deps.ts';

type ChangeState = z.infer<typeof changeSoftwareStateInput>;

interface Approval extends Record<string, unknown> {
  readonly model: string;
  readonly country: string;
}

/**
 * Approves, deprecates or blocks a version. Blocking ends its approvals at once; a version that is still approved
 * somewhere is not deprecated before another one took its place there.
 *
 * @throws PortalError 2003 without such a version; 2004 where its state does not allow it
 */
export async function changeSoftwareState(
  deps: VersionsDeps,
  caller: Caller,
  input: ChangeState,
): Promise<void> {
  requireWholeFleet(caller.viewer);
  const at = deps.clock();
  const { component, version, state, reason } = input;
  await inTransaction(deps.database, async (tx) => {
    const held = await lockSoftware(tx, input);
    if (held === undefined) throw new PortalError('notFound', { facts: { component, version } });
    if (held.state === state) return;
    if (!mayBecome(held.state, state)) {
      throw refuse('version-state-refuses', {
        field: 'state',
        facts: { component, version, state: held.state, to: state },
      });
    }
    const ended = await endApprovals(tx, input);
    await setSoftwareState(tx, input, state);
    await refreshCellStates(tx, component);
    const base = {
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      at,
    };
    await recordAudit(tx, [
      {
        ...base,
        type: 'version.state-changed',
        data: { component, version, from: held.state, to: state, reason },
      },
      ...ended.map((target): AuditDraft => ({
        ...base,
        type: 'version.approval-withdrawn',
        data: { component, version, ...target, reason: 'blocked' },
      })),
    ]);
  });
  await restateAtOnce(deps);
}

async function endApprovals(tx: Transaction, input: ChangeState): Promise<readonly Approval[]> {
  const here = sql`component = ${input.component} and version = ${input.version}`;
  if (input.state === 'blocked') {
    const ended = await tx.execute<Approval>(
      sql`delete from version_approval where ${here} returning model, country`,
    );
    return ended.rows;
  }
  if (input.state === 'deprecated') {
    const { rows } = await tx.execute<Approval>(
      sql`select model, country from version_approval where ${here} order by model, country limit 1`,
    );
    const [first] = rows;
    if (first !== undefined) {
      const { component, version } = input;
      throw refuse('version-still-approved', {
        field: 'state',
        facts: { component, version, ...first },
      });
    }
  }
  return [];
}
