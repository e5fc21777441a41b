import { sql, type SQL } from 'drizzle-orm';
import type { InvocationRow, InvocationStep } from '@deviceportal/contract/commands';
import type { Consequence, Scope } from '@deviceportal/contract/permissions';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import type { Executor } from '../platform/database/database.ts';
import { isoOf, isoOrNull } from '../platform/moment-cursor.ts';
import { maskSecrets } from './mask-secrets.ts';
import type { ParameterVault, StoredParameters } from './parameter-vault.ts';

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
  readonly documentSteps: readonly DocumentStep[];
  /** Texts to hide in output. */
  readonly secrets: readonly string[];
}

export interface FoundInvocation {
  readonly row: InvocationRow;
  readonly facts: InvocationFacts;
  readonly queuedAtText: string;
}

interface RawInvocation extends InvocationRow, Omit<InvocationFacts, 'secrets'> {
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
    ? sql`(select v.parsed->'mainSteps' from document_version v
           where v.document_name = r.document_name and v.version = r.document_version)`
    : sql`'[]'::jsonb`;
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
           i.news_at as "newsAt", r.consequence, r.comment,
           coalesce(s.connectivity in ('online', 'degraded'), false) as "deviceOnline",
           i.steps as "reportedSteps", ${documentSteps} as "documentSteps"
    from invocation i
    join command_run r on r.id = i.run_id
    join device d on d.id = i.device_id
    left join device_status s on s.device_id = i.device_id
    where ${page.where} and ${deviceScopeCondition(page.scopes)}
    order by ${page.order} limit ${page.limit}`);
  return (rows as unknown as RawInvocation[]).map((raw) => found(vault, raw));
}

function found(vault: ParameterVault, raw: RawInvocation): FoundInvocation {
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
    storedParameters,
    queuedAtText,
    ...row
  } = raw;
  const secrets = vault.secretTexts(raw.runId, storedParameters);
  return {
    queuedAtText,
    row: {
      ...row,
      queuedAt: isoOf(row.queuedAt),
      sentAt: isoOrNull(row.sentAt),
      startedAt: isoOrNull(row.startedAt),
      endedAt: isoOrNull(row.endedAt),
      outputPreview: maskSecrets(row.outputPreview, secrets),
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
      documentSteps: documentSteps ?? [],
      secrets,
    },
  };
}
