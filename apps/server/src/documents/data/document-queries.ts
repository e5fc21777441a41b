import { and, asc, eq, exists, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { builtOnce } from '../../platform/database/built-once.ts';
import {
  containsWanted,
  rowsOfEach,
  wantedParams,
  wantedPosition,
  wantedText,
  wantedTexts,
} from '../../platform/database/contains-wanted.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { document, documentVersion } from './documents-tables.ts';

type DocumentColumns = Readonly<typeof document.$inferSelect>;
export type StoredDocument = Pick<DocumentColumns, keyof typeof columns>;

const columns = {
  name: document.name,
  description: document.description,
  state: document.state,
  builtin: document.builtin,
  /** Null until a version is approved. */
  defaultVersion: document.defaultVersion,
  latestVersion: document.latestVersion,
};

export async function findDocument(
  on: Executor,
  name: string,
): Promise<StoredDocument | undefined> {
  const [found] = await on.select(columns).from(document).where(eq(document.name, name));
  return found;
}

/** Locks the row until the transaction ends. Every change of a document or of its versions locks it first. */
export async function lockDocument(
  tx: Transaction,
  name: string,
): Promise<StoredDocument | undefined> {
  const [found] = await tx
    .select(columns)
    .from(document)
    .where(eq(document.name, name))
    .for('update');
  return found;
}

/** Documents of the installation, for the limit of documents. */
export const ownDocuments = (): SQL =>
  new QueryBuilder()
    .select({ name: document.name })
    .from(document)
    .where(eq(document.builtin, false))
    .getSQL();

type NewDocument = Pick<DocumentColumns, 'name' | 'description' | 'state' | 'builtin'> & {
  readonly labels?: DocumentColumns['labels'];
  readonly defaultVersion?: number;
  readonly at: Date;
  readonly by: string;
};

/** Inserts a document with its first version. False if the name is taken. */
export async function insertDocument(
  tx: Transaction,
  { at, by, ...added }: NewDocument,
): Promise<boolean> {
  const { rowCount } = await tx
    .insert(document)
    .values({ ...added, latestVersion: 1, createdAt: at, updatedAt: at, updatedBy: by })
    .onConflictDoNothing({ target: document.name });
  return rowCount === 1;
}

export interface DocumentChange {
  readonly deprecated?: boolean;
  readonly defaultVersion?: number;
  readonly latestVersion?: number;
  readonly at: Date;
  readonly by: string;
}

/** Call after changing versions, because the state of the document is derived from them. */
export async function updateDocument(
  tx: Transaction,
  name: string,
  { deprecated = false, defaultVersion, latestVersion, at, by }: DocumentChange,
): Promise<void> {
  const inReview = tx
    .select({ version: documentVersion.version })
    .from(documentVersion)
    .where(
      and(eq(documentVersion.documentName, document.name), eq(documentVersion.state, 'review')),
    );
  await tx
    .update(document)
    .set({
      state: sql`case
        when ${document.state} = 'deprecated' or ${deprecated}::boolean then 'deprecated'
        when coalesce(${defaultVersion ?? null}::int, ${document.defaultVersion}) is not null then 'active'
        when ${exists(inReview)} then 'review'
        else 'draft' end`,
      ...(defaultVersion !== undefined && { defaultVersion }),
      ...(latestVersion !== undefined && { latestVersion }),
      updatedAt: at,
      updatedBy: by,
    })
    .where(eq(document.name, name));
}

/** Maximum number of documents found for a text. */
const MAX_FOUND = 200;

const documentsByWords = builtOnce((on) => {
  const { name, description, labels, state } = document;
  const searched = sql`lower(${name} || ' ' || ${description} || ' ' || ${labels}::text)`;
  const found = on
    .select({ name, description, state })
    .from(document)
    .where(containsWanted(searched))
    .orderBy(sql`strpos(lower(${name}), ${wantedText}) = 0`, asc(name))
    .limit(MAX_FOUND)
    .as('found');
  return on
    .select({
      position: wantedPosition,
      name: found.name,
      description: found.description,
      state: found.state,
    })
    .from(wantedTexts)
    .crossJoinLateral(found)
    .prepare('documents-by-words');
});

/**
 * For each of some texts, the documents whose name, description, or labels contain each of its words. Matches of the name
 * come first.
 */
export const searchDocuments = async (on: Executor, texts: readonly string[]) =>
  rowsOfEach(texts, await documentsByWords(on).execute(wantedParams(texts)));
