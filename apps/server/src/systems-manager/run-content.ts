import type { PhaseCounts } from '@deviceportal/contract/document-phases';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import type { RunCommandObstacle } from '@deviceportal/contract/run-command-obstacles';
import { findRunToSend } from '../commands/data/execution/find-run-to-send.ts';
import type { ParameterVault } from '../commands/parameters/parameter-vault.ts';
import { findRunnableDocument } from '../documents/find-runnable-document.ts';
import type { Database } from '../platform/database/database.ts';
import {
  obstaclesOf,
  ssmNameOf,
  stepsOf,
  toSsmContent,
  toSsmParameters,
} from './to-ssm-document.ts';

export interface ContentDeps {
  readonly database: Pick<Database, 'orm'>;
  readonly vault: Pick<ParameterVault, 'open'>;
}

/** A run as Systems Manager executes it. */
export interface SsmRunContent {
  /** Checked again before sending: a server of an earlier release does not exclude devices. */
  readonly obstacles: readonly RunCommandObstacle[];
  /** Name in Systems Manager. */
  readonly name: string;
  /** JSON. */
  readonly content: string;
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  readonly steps: readonly DocumentStep[];
  readonly phases: PhaseCounts;
}

/** Undefined if the run no longer exists. */
export async function readRunContent(
  { database, vault }: ContentDeps,
  runId: string,
): Promise<SsmRunContent | undefined> {
  const run = await findRunToSend(database.orm, runId);
  if (run === undefined) return undefined;
  const { documentName, documentVersion, content, phases } = run;
  const document = await findRunnableDocument(database.orm, `${documentName}:${documentVersion}`);
  const own = { content, phases };
  const secretParameters = document?.secretParameters ?? [];
  const obstacles = obstaclesOf({ ...own, secretParameters, isUndo: run.undoesRunId !== null });
  return {
    obstacles,
    name: ssmNameOf(documentName),
    content: toSsmContent(own),
    parameters:
      obstacles.length > 0
        ? {}
        : toSsmParameters(content.parameters, vault.open(runId, run.parameters)),
    steps: stepsOf(own),
    phases: { preCheck: phases.preCheck?.length ?? 0, verify: phases.verify?.length ?? 0 },
  };
}
