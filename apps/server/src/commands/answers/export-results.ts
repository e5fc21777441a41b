import type { z } from 'zod';
import type { exportResultsInput } from '@deviceportal/contract/run-results';
import { scopesOf } from '@deviceportal/contract/permissions';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { holderOf } from '../../platform/person-links.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { getRun } from '../get-run.ts';

/**
 * Creates a download link for the results of a run that are visible to the viewer. The export is recorded in the audit
 * trail before the link is returned.
 *
 * @throws PortalError 5000 if there is no such run within the viewer's scope
 */
export async function exportResults(
  deps: CommandsDeps,
  caller: Caller,
  { id, format }: z.infer<typeof exportResultsInput>,
): Promise<{ readonly downloadUrl: string }> {
  const { viewer } = caller;
  const { command } = await getRun(deps, viewer, id);
  await inTransaction(deps.database, (tx) =>
    recordAudit(tx, [
      {
        type: 'command.results-exported',
        actor: actorOf(viewer, caller),
        runId: id,
        requestId: caller.requestId,
        data: { runId: id, command, format },
      },
    ]),
  );
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  return { downloadUrl: deps.signResultsUrl({ runId: id, format, scopes }, holderOf(viewer)) };
}
