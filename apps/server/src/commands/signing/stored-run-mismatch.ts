import { canonicalJson } from '@deviceportal/command-signing/canonical-json';
import {
  describeInstructions,
  type SharedCommand,
} from '@deviceportal/command-signing/run-digests';
import { runStatementSchema, type RunStatement } from '@deviceportal/command-signing/run-statement';
import { faultOfStatement, statementTypes } from '@deviceportal/command-signing/signed-statement';
import { effectDocument } from '../effect/effect-document.ts';
import type { ParameterValues } from '../parameters/parameter-vault.ts';
import type { ResolvedCommand } from '../catalog/resolve-command.ts';
import type { RunDeps } from '../commands-deps.ts';
import { valuesOf } from '../parameters/resolve-store-values.ts';
import type { StoredRun } from '../data/runs/run-queries.ts';
import { openStore } from '../parameters/store-vault.ts';
import type { AuthorizationMismatch } from './authorization.ts';
import { openBlinding } from './blinding.ts';
import { findRunSignature, findSignedDeviceIds } from '../data/runs/run-signature-queries.ts';
import { sharedCommandOf } from './shared-command.ts';

/** The signed content of a run, as needed for a rerun or an undo. */
export interface SignedRun {
  readonly statement: RunStatement;
  readonly blinding: string;
  /** Whether all of these devices were targets: 16 bytes each, sorted by ID. */
  readonly covers: (deviceIds: Uint8Array) => boolean;
}

type RunSource = Pick<RunDeps, 'database' | 'signing' | 'vault'>;

const changed = (...names: string[]): AuthorizationMismatch => ({
  fault: 'changed',
  changed: names,
});

/** The signed statement of a stored run, or why there is no valid one. */
export async function readSignedRun(
  { database, signing, vault }: RunSource,
  runId: string,
): Promise<SignedRun | AuthorizationMismatch> {
  const stored = await findRunSignature(database.orm, runId);
  if (stored === undefined) return { fault: 'unsigned', changed: [] };
  const fault = faultOfStatement(statementTypes.run, stored.statement, signing.keys.trusted);
  if (fault !== null) return { fault, changed: [] };
  const statement = runStatementSchema.parse(JSON.parse(stored.statement.payload));
  // Signed by a release whose statements do not contain everything that a rerun needs.
  if (statement.documentDigest === undefined || statement.limits === undefined)
    return { fault: 'unsigned', changed: [] };
  if (statement.runId !== runId) return changed('runId');
  const tree = await signing.trees.of(runId, () => findSignedDeviceIds(database.orm, runId));
  if (tree.root !== statement.targets.root) return changed('devices');
  try {
    const blinding = openBlinding(vault, runId, stored.blinding);
    return { statement, blinding, covers: tree.covers };
  } catch {
    return changed('blinding');
  }
}

export interface Repeated {
  readonly run: StoredRun;
  /** Decrypted parameter values of the stored run. */
  readonly values: ParameterValues;
  /** Its document version in its current state. */
  readonly resolved: ResolvedCommand;
}

/** Null if a stored run equals the signed one in everything except its devices. */
export function storedRunMismatch(
  { vault }: Pick<RunSource, 'vault'>,
  { statement, blinding }: SignedRun,
  { run, values, resolved }: Repeated,
): AuthorizationMismatch | null {
  const { software } = statement.instructions;
  const actual = describeInstructions(commandOf({ vault }, { run, values, resolved }), {
    blinding,
    software,
  });
  const { maxConcurrency, maxErrors, timeoutSeconds } = run;
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['command', run.command, statement.command],
    ['undoes', run.undoes, statement.undoes],
    ['document', actual.document, statement.instructions.document],
    ['document', effectDocument(resolved.document).sha256, statement.documentDigest],
    ['parameters', actual.parameters, statement.instructions.parameters],
    ['limits', { maxConcurrency, maxErrors, timeoutSeconds }, statement.limits],
  ];
  const different = pairs.filter(([, one, other]) => !isSame(one, other)).map(([name]) => name);
  return different.length === 0 ? null : changed(...new Set(different));
}

function commandOf(
  { vault }: Pick<RunSource, 'vault'>,
  { run, values, resolved }: Pick<Repeated, 'run' | 'values' | 'resolved'>,
): SharedCommand {
  return sharedCommandOf({
    documentName: run.documentName,
    documentVersion: run.documentVersion,
    parsed: resolved.document.parsed,
    phases: resolved.document.phases,
    documents: {},
    values,
    storeValues: valuesOf(openStore(vault, run)),
    isUndo: run.undoes !== null,
    holder: null,
    executionTimeoutSeconds: 1,
  });
}

const isSame = (one: unknown, other: unknown): boolean =>
  canonicalJson(one ?? null) === canonicalJson(other ?? null);
