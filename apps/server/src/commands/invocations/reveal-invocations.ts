import type { InvocationRow, InvocationStep } from '@deviceportal/contract/invocations';
import { OUTPUT_PREVIEW_CHARACTERS } from '@deviceportal/contract/constants';
import type { Consequence } from '@deviceportal/contract/permissions';
import type { Connectivity } from '@deviceportal/contract/states';
import { stepsOfRun, type PhasedStep } from '@deviceportal/contract/document-phases';
import type { Executor } from '../../platform/database/database.ts';
import { isoOf, isoOrNull } from '../../platform/moment-cursor.ts';
import type { StoredInvocation } from '../data/invocation-queries.ts';
import { readBeginnings } from '../output/read-output.ts';
import type { ParameterVault } from '../parameters/parameter-vault.ts';

/** Fields of the detail of an invocation in addition to its row. */
export interface InvocationFacts {
  readonly stdoutLength: number;
  readonly stderrLength: number;
  readonly outputTruncated: boolean;
  readonly deliverBefore: string;
  readonly expiresAt: string;
  readonly newsAt: string | null;
  readonly consequence: Consequence;
  readonly comment: string;
  /** Of the device; null if it was never recorded. */
  readonly connectivity: Connectivity | null;
  readonly connectivitySince: string | null;
  readonly reportedSteps: readonly InvocationStep[];
  readonly documentSteps: readonly PhasedStep[];
  /** The run that this one undoes. */
  readonly undoes: string | null;
  /** Texts to mask in output. */
  readonly secrets: readonly string[];
}

export interface FoundInvocation {
  readonly row: InvocationRow;
  readonly facts: InvocationFacts;
  readonly queuedAtText: string;
}

/** Stored invocations as shown, with secrets masked in their previews. */
export async function revealInvocations(
  executor: Executor,
  vault: ParameterVault,
  stored: readonly StoredInvocation[],
): Promise<FoundInvocation[]> {
  const all = stored.map((one) => found(one, vault.secretTexts(one.runId, one.storedParameters)));
  return withoutSecrets(executor, all);
}

/**
 * A stored preview mixes both streams, which can split a secret. For runs with secrets, the preview is built from the
 * separate streams.
 */
async function withoutSecrets(
  executor: Executor,
  all: readonly FoundInvocation[],
): Promise<FoundInvocation[]> {
  const secretsOf = new Map(
    all
      .filter(({ facts }) => facts.secrets.length > 0)
      .map((one) => [one.row.id, one.facts.secrets]),
  );
  if (secretsOf.size === 0) return [...all];
  const limits = { stdout: OUTPUT_PREVIEW_CHARACTERS, stderr: OUTPUT_PREVIEW_CHARACTERS };
  const beginnings = await readBeginnings(executor, secretsOf, limits);
  return all.map((one) => {
    if (!secretsOf.has(one.row.id)) return one;
    const { stdout = '', stderr = '' } = beginnings.get(one.row.id) ?? {};
    const outputPreview = (stdout + stderr).slice(0, OUTPUT_PREVIEW_CHARACTERS).toWellFormed();
    return { ...one, row: { ...one.row, outputPreview } };
  });
}

function found(raw: StoredInvocation, secrets: readonly string[]): FoundInvocation {
  const {
    stdoutLength,
    stderrLength,
    outputTruncated,
    deliverBefore,
    expiresAt,
    newsAt,
    consequence,
    comment,
    connectivity,
    connectivitySince,
    reportedSteps,
    documentSteps,
    undoes,
    storedParameters: _stored,
    queuedAtText,
    ...row
  } = raw;
  return {
    queuedAtText,
    row: {
      ...row,
      queuedAt: isoOf(row.queuedAt),
      sentAt: isoOrNull(row.sentAt),
      startedAt: isoOrNull(row.startedAt),
      endedAt: isoOrNull(row.endedAt),
    },
    facts: {
      stdoutLength,
      stderrLength,
      outputTruncated,
      deliverBefore: isoOf(deliverBefore),
      expiresAt: isoOf(expiresAt),
      newsAt: isoOrNull(newsAt),
      consequence,
      comment,
      connectivity,
      connectivitySince: isoOrNull(connectivitySince),
      reportedSteps,
      documentSteps:
        documentSteps === null
          ? []
          : stepsOfRun(documentSteps.mainSteps, documentSteps.phases, undoes !== null),
      undoes,
      secrets,
    },
  };
}
