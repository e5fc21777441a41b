import type { SharedCommand } from '@deviceportal/command-signing/run-digests';
import { contentOfRun, type DocumentPhases } from '@deviceportal/contract/document-phases';
import type { SsmDocument } from '@deviceportal/contract/ssm-document';
import type { StoreValues } from '@deviceportal/contract/store-references';
import type { ParameterValues } from '../parameters/parameter-vault.ts';
import { withStoreDefaults } from '../parameters/resolve-store-values.ts';

export interface RunParts {
  readonly documentName: string;
  readonly documentVersion: number;
  readonly parsed: SsmDocument;
  readonly phases: DocumentPhases;
  readonly documents: SharedCommand['documents'];
  /** As entered, with plain secrets. */
  readonly values: ParameterValues;
  readonly storeValues: StoreValues;
  readonly isUndo: boolean;
  readonly holder: string | null;
  readonly executionTimeoutSeconds: number;
}

/**
 * The part of a command that is the same for all devices of a run. Signed at creation, and rebuilt from stored data
 * when it is sent.
 */
export function sharedCommandOf(run: RunParts): SharedCommand {
  const { parsed, phases, isUndo, storeValues } = run;
  const { content, counts } = contentOfRun(parsed, phases, isUndo);
  const declared = parsed.parameters ?? {};
  return {
    documentName: run.documentName,
    documentVersion: run.documentVersion,
    content: { ...content },
    phases: counts,
    isUndo,
    parameters: withStoreDefaults({ declared, values: run.values }, storeValues),
    storeValues,
    documents: run.documents,
    executionTimeoutSeconds: run.executionTimeoutSeconds,
    holder: run.holder,
  };
}
