import { sql, type SQL } from 'drizzle-orm';
import type { InvocationRow, InvocationStep } from '@deviceportal/contract/invocations';
import { OUTPUT_PREVIEW_CHARACTERS } from '@deviceportal/contract/constants';
import type { Consequence, Scope } from '@deviceportal/contract/permissions';
import {
  stepsOfRun,
  type DocumentPhases,
  type PhasedStep,
} from '@deviceportal/contract/document-phases';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isoOf, isoOrNull } from '../../platform/moment-cursor.ts';
import { readBeginnings } from '../output/output-store.ts';
import type { ParameterVault, StoredParameters } from '../parameters/parameter-vault.ts';

/** What the detail of an invocation needs beside its row. */
export interface InvocationFacts {
  readonly stdoutLength: number;
  readonly stderrLength: number;
  readonly outputTruncated: boolean;
  readonly deliverBefore: string;
  readonly expiresAt: string;
  readonly newsAt: string | null;
  readonly consequence: Consequence;
  readonly comment: string;
  readonly deviceOnline: boolean;
  readonly reportedSteps: readonly InvocationStep[];
  readonly documentSteps: readonly PhasedStep[];
  /** The run that this one takes back. */
  readonly undoes: string | null;
  /** Texts to hide in output. */
  readonly secrets: readonly string[];
}

export interface FoundInvocation {
  readonly row: InvocationRow;
  readonly facts: InvocationFacts;
  readonly queuedAtText: string;
}

interface RawInvocation extends InvocationRow, Omit<InvocationFacts, 'secrets' | 'documentSteps'> {
  readonly documentSteps: {
    readonly mainSteps: readonly DocumentStep[];
    readonly phases: DocumentPhases;
  } | null;
  readonly queuedAtText: string;
  readonly storedParameters: StoredParameters;
}

export interface InvocationPage {
  readonly scopes: readonly Scope[];
  readonly where: SQL;
  readonly order: SQL;
  readonly limit: number;
  /** Steps of the document too, for one invocation. */
  readonly withSteps: boolean;
}

/** Invocations within scope. Secrets are hidden in their previews. */
export async function selectInvocations(
  executor: Executor,
  vault: ParameterVault,
  page: InvocationPage,
): Promise<FoundInvocation[]> {
  const documentSteps = page.withSteps
    ? sql`(select json_build_object('mainSteps', v.parsed->'mainSteps', 'phases', v.phases) from document_version v
           where v.document_name = r.document_name and v.version = r.document_version)`
    : sql`null::json`;
  const { rows } = await executor.execute(sql`
    select i.id, i.run_id as "runId", r.command, r.document_name as "documentName",
           r.document_version as "documentVersion", i.device_id as "deviceId", d.name as "deviceName",
           d.serial_number as "serialNumber", i.instance_id as "instanceId", i.state,
           i.status_details as "statusDetails", i.attempt, i.response_code as "responseCode",
           i.queued_at as "queuedAt", i.queued_at::text as "queuedAtText", i.sent_at as "sentAt",
           i.started_at as "startedAt", i.ended_at as "endedAt", r.created_by as "createdBy",
           r.masked_parameters as parameters, r.parameters as "storedParameters", i.output_preview as "outputPreview",
           i.stdout_length::float8 as "stdoutLength", i.stderr_length::float8 as "stderrLength",
           i.output_truncated as "outputTruncated", i.deliver_before as "deliverBefore", i.expires_at as "expiresAt",
           i.news_at as "newsAt", r.consequence, r.comment, r.undoes_run_id as undoes,
           coalesce(s.connectivity in ('online', 'degraded'), false) as "deviceOnline",
           i.steps as "reportedSteps", ${documentSteps} as "documentSteps"
    from invocation i
    join command_run r on r.id = i.run_id
    join device d on d.id = i.device_id
    left join device_status s on s.device_id = i.device_id
    where ${page.where} and ${deviceScopeCondition(page.scopes)}
    order by ${page.order} limit ${page.limit}`);
  const all = (rows as unknown as RawInvocation[]).map((raw) =>
    found(raw, vault.secretTexts(raw.runId, raw.storedParameters)),
  );
  return withoutSecrets(executor, all);
}

/**
 * A stored preview has both streams in one as they came, and a secret's letters may stand apart in it: where there are
 * secrets it is made of the streams themselves.
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

function found(raw: RawInvocation, secrets: readonly string[]): FoundInvocation {
  const {
    stdoutLength,
    stderrLength,
    outputTruncated,
    deliverBefore,
    expiresAt,
    newsAt,
    consequence,
    comment,
    deviceOnline,
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
      deviceOnline,
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
