import { sql, type SQL } from 'drizzle-orm';
import type { DocumentVersionRow } from '@deviceportal/contract/documents';
import type { Consequence } from '@deviceportal/contract/permissions';
import type { SsmDocument } from '@deviceportal/contract/ssm-document';
import type { DocumentState } from '@deviceportal/contract/states';
import type { Executor, Transaction } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';

export interface StoredDocument {
  readonly name: string;
  readonly description: string;
  readonly consequence: Consequence;
  readonly secretParameters: readonly string[];
  readonly state: DocumentState;
  readonly builtin: boolean;
  readonly defaultVersion: number;
  readonly latestVersion: number;
}

export interface StoredVersion {
  readonly version: number;
  readonly format: 'JSON' | 'YAML';
  readonly content: string;
  readonly parsed: SsmDocument;
  readonly sha256: string;
  readonly note: string;
  readonly createdBy: string;
  readonly createdAt: string;
}

export interface NewVersion {
  readonly name: string;
  readonly version: number;
  readonly format: 'JSON' | 'YAML';
  readonly content: string;
  readonly parsed: SsmDocument;
  readonly sha256: string;
  readonly note: string;
  readonly createdBy: string;
  readonly createdAt: Date;
}

const documentFields = sql`name, description, consequence, secret_parameters as "secretParameters", state, builtin,
  default_version as "defaultVersion", latest_version as "latestVersion"`;

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

/** Holds the row until the transaction ends, so that versions are numbered one after the other. */
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
    sql`select version, format, content, parsed, sha256, note, created_by as "createdBy",
               created_at as "createdAt"
        from document_version where document_name = ${name} and version = ${version}`,
  );
}

export async function insertVersion(tx: Transaction, row: NewVersion): Promise<void> {
  await tx.execute(sql`
    insert into document_version (document_name, version, format, content, parsed, sha256, note, created_by, created_at)
    values (${row.name}, ${row.version}, ${row.format}, ${row.content}, ${JSON.stringify(row.parsed)}::jsonb,
            ${row.sha256}, ${row.note}, ${row.createdBy}, ${row.createdAt.toISOString()})`);
}

export async function listVersions(
  executor: Executor,
  name: string,
): Promise<DocumentVersionRow[]> {
  const { rows } = await executor.execute(sql`
    select v.version, v.sha256, v.note, v.created_by as "createdBy", v.created_at as "createdAt",
           v.version = d.default_version as "isDefault"
    from document_version v join document d on d.name = v.document_name
    where v.document_name = ${name} order by v.version desc limit 500`);
  return (rows as unknown as DocumentVersionRow[]).map((row) => ({
    ...row,
    createdAt: isoOf(row.createdAt),
  }));
}

export interface DocumentChange {
  readonly state?: DocumentState;
  readonly defaultVersion?: number;
  readonly latestVersion?: number;
  readonly at: Date;
  readonly by: string;
}

export async function updateDocument(
  tx: Transaction,
  name: string,
  change: DocumentChange,
): Promise<void> {
  await tx.execute(sql`
    update document set
      state = coalesce(${change.state ?? null}, state),
      default_version = coalesce(${change.defaultVersion ?? null}::int, default_version),
      latest_version = coalesce(${change.latestVersion ?? null}::int, latest_version),
      updated_at = ${change.at.toISOString()}, updated_by = ${change.by}
    where name = ${name}`);
}
