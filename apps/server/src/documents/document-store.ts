import { sql, type SQL } from 'drizzle-orm';
import type { DocumentPhases } from '@deviceportal/contract/document-phases';
import type { Consequence } from '@deviceportal/contract/permissions';
import type { SsmDocument } from '@deviceportal/contract/ssm-document';
import type { DocumentState } from '@deviceportal/contract/states';
import type { Executor, Transaction } from '../platform/database/database.ts';

export interface StoredDocument {
  readonly name: string;
  readonly description: string;
  readonly state: DocumentState;
  readonly builtin: boolean;
  /** Null until a version was approved. */
  readonly defaultVersion: number | null;
  readonly latestVersion: number;
}

export interface StoredVersion {
  readonly version: number;
  readonly state: DocumentState;
  readonly format: 'JSON' | 'YAML';
  readonly content: string;
  readonly parsed: SsmDocument;
  readonly phasesText: string;
  readonly phases: DocumentPhases;
  readonly sha256: string;
  readonly consequence: Consequence;
  readonly secretParameters: readonly string[];
  readonly note: string;
  readonly createdBy: string;
  /** Null for what comes with a release. */
  readonly createdById: string | null;
  readonly createdAt: string;
  readonly submittedBy: string | null;
  readonly submittedAt: string | null;
  readonly reviewedBy: string | null;
  readonly reviewedAt: string | null;
  readonly reviewDecision: 'approved' | 'rejected' | null;
  readonly reviewComment: string;
}

export interface NewVersion {
  readonly name: string;
  readonly version: number;
  readonly state: DocumentState;
  readonly format: 'JSON' | 'YAML';
  readonly content: string;
  readonly parsed: SsmDocument;
  readonly phasesText: string;
  readonly phases: DocumentPhases;
  readonly sha256: string;
  readonly consequence: Consequence;
  readonly secretParameters: readonly string[];
  readonly note: string;
  readonly createdBy: string;
  readonly createdById: string | null;
  readonly createdAt: Date;
}

const documentFields = sql`name, description, state, builtin, default_version as "defaultVersion",
  latest_version as "latestVersion"`;

const versionFields = sql`version, state, format, content, parsed, phases_text as "phasesText", phases, sha256, consequence,
  secret_parameters as "secretParameters", note, created_by as "createdBy", created_by_id as "createdById",
  created_at as "createdAt", submitted_by as "submittedBy", submitted_at as "submittedAt",
  reviewed_by as "reviewedBy", reviewed_at as "reviewedAt", review_decision as "reviewDecision",
  review_comment as "reviewComment"`;

async function one<Row>(executor: Executor, statement: SQL): Promise<Row | undefined> {
  const { rows } = await executor.execute(statement);
  return rows[0] as Row | undefined;
}

export function findDocument(
  executor: Executor,
  name: string,
): Promise<StoredDocument | undefined> {
  return one(executor, sql`select ${documentFields} from document where name = ${name}`);
}

/** Holds the row until the transaction ends: whatever changes a document or a version of it holds it first. */
export function lockDocument(tx: Transaction, name: string): Promise<StoredDocument | undefined> {
  return one(tx, sql`select ${documentFields} from document where name = ${name} for update`);
}

export function findVersion(
  executor: Executor,
  name: string,
  version: number,
): Promise<StoredVersion | undefined> {
  return one(
    executor,
    sql`select ${versionFields} from document_version where document_name = ${name} and version = ${version}`,
  );
}

export async function insertVersion(tx: Transaction, row: NewVersion): Promise<void> {
  await tx.execute(sql`
    insert into document_version (document_name, version, state, format, content, parsed, phases_text, phases, sha256,
                                  consequence, secret_parameters, note, created_by, created_by_id, created_at)
    values (${row.name}, ${row.version}, ${row.state}, ${row.format}, ${row.content},
            ${JSON.stringify(row.parsed)}::json, ${row.phasesText}, ${JSON.stringify(row.phases)}::json, ${row.sha256}, ${row.consequence},
            ${JSON.stringify(row.secretParameters)}::jsonb, ${row.note}, ${row.createdBy}, ${row.createdById},
            ${row.createdAt.toISOString()})`);
}

/** A version as lists show it: without its text. */
export type ListedVersion = Omit<
  StoredVersion,
  'content' | 'parsed' | 'phasesText' | 'phases' | 'format'
>;

export async function listVersions(executor: Executor, name: string): Promise<ListedVersion[]> {
  const { rows } = await executor.execute(sql`
    select version, state, sha256, consequence, secret_parameters as "secretParameters", note,
           created_by as "createdBy", created_by_id as "createdById", created_at as "createdAt",
           submitted_by as "submittedBy", submitted_at as "submittedAt", reviewed_by as "reviewedBy",
           reviewed_at as "reviewedAt", review_decision as "reviewDecision", review_comment as "reviewComment"
    from document_version where document_name = ${name} order by version desc limit 500`);
  return rows as unknown as ListedVersion[];
}

export async function findVersionInReview(tx: Transaction, name: string): Promise<number | null> {
  const found = await one<{ version: number }>(
    tx,
    sql`select version from document_version where document_name = ${name} and state = 'review'`,
  );
  return found?.version ?? null;
}

export interface DocumentChange {
  readonly deprecated?: boolean;
  readonly defaultVersion?: number;
  readonly latestVersion?: number;
  readonly at: Date;
  readonly by: string;
}

/** Call it after the versions were changed: the document's state follows from them. */
export async function updateDocument(
  tx: Transaction,
  name: string,
  change: DocumentChange,
): Promise<void> {
  const defaultVersion = sql`coalesce(${change.defaultVersion ?? null}::int, default_version)`;
  await tx.execute(sql`
    update document set
      state = case
        when state = 'deprecated' or ${change.deprecated ?? false}::boolean then 'deprecated'
        when ${defaultVersion} is not null then 'active'
        when exists (select 1 from document_version v where v.document_name = name and v.state = 'review') then 'review'
        else 'draft' end,
      default_version = ${defaultVersion},
      latest_version = coalesce(${change.latestVersion ?? null}::int, latest_version),
      updated_at = ${change.at.toISOString()}, updated_by = ${change.by}
    where name = ${name}`);
}
