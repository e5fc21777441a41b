import { describeInstructions } from '@deviceportal/command-signing/run-digests';
import type { RunStatement } from '@deviceportal/command-signing/run-statement';
import { signStatement, statementTypes } from '@deviceportal/command-signing/signed-statement';
import { sentSubDocument } from '../../documents/sub-documents.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { RunDeps } from '../commands-deps.ts';
import { effectDocument } from '../effect/effect-document.ts';
import { neededSoftware } from '../execution/needed-software.ts';
import type { ParameterValues } from '../parameters/parameter-vault.ts';
import type { ResolvedCommand } from '../catalog/resolve-command.ts';
import { valuesOf } from '../parameters/resolve-store-values.ts';
import type { NewRun } from '../data/runs/run-insert-queries.ts';
import type { StoreContent } from '../parameters/store-vault.ts';
import { newBlinding } from './blinding.ts';
import { insertRunSignature } from '../data/runs/run-signature-queries.ts';
import { sharedCommandOf } from './shared-command.ts';

export interface SignRun {
  readonly run: Pick<
    NewRun,
    | 'id'
    | 'command'
    | 'documentName'
    | 'documentVersion'
    | 'consequence'
    | 'undoesRunId'
    | 'executionTimeoutSeconds'
    | 'maxConcurrency'
    | 'maxErrors'
    | 'timeoutSeconds'
    | 'createdById'
    | 'createdBy'
    | 'createdAt'
    | 'deliverBefore'
  >;
  readonly resolved: ResolvedCommand;
  readonly values: ParameterValues;
  readonly store: StoreContent;
  /** Target device IDs, 16 bytes each, sorted. */
  readonly deviceIds: Buffer;
}

/** Signs a new run once for all its devices, from the checked request and not from stored rows. */
export async function signRun(
  tx: Transaction,
  { signing, vault }: Pick<RunDeps, 'signing' | 'vault'>,
  { run, resolved, values, store, deviceIds }: SignRun,
): Promise<void> {
  const shared = sharedCommandOf({
    documentName: run.documentName,
    documentVersion: run.documentVersion,
    parsed: resolved.document.parsed,
    phases: resolved.document.phases,
    documents: Object.fromEntries(
      resolved.subDocuments.map((document) => [document.reference, sentSubDocument(document)]),
    ),
    values,
    storeValues: valuesOf(store),
    isUndo: run.undoesRunId !== null,
    holder: run.consequence === 'reads' ? null : run.createdById,
    executionTimeoutSeconds: run.executionTimeoutSeconds,
  });
  const software = await signing.findSoftware(neededSoftware(shared.content, shared.parameters));
  const { count, root } = await signing.trees.of(run.id, async () => deviceIds);
  const blinding = newBlinding(vault, run.id);
  const statement: RunStatement = {
    runId: run.id,
    command: run.command,
    undoes: run.undoesRunId,
    // The signed text cannot be changed, so it contains user IDs only, which are sufficient for devices.
    authorizedBy: { id: run.createdById, name: '' },
    authorizedAt: run.createdAt.toISOString(),
    documentDigest: effectDocument(resolved.document).sha256,
    limits: {
      maxConcurrency: run.maxConcurrency,
      maxErrors: run.maxErrors,
      timeoutSeconds: run.timeoutSeconds,
    },
    deliverBefore: run.deliverBefore.toISOString(),
    targets: { count, root },
    instructions: describeInstructions(shared, { blinding: blinding.text, software }),
  };
  const signed = await signStatement(statementTypes.run, statement, signing.keys.current);
  await insertRunSignature(tx, run.id, { statement: signed, blinding: blinding.sealed, deviceIds });
}
