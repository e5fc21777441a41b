import { and, eq, exists, ilike, inArray, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import type { Consequence, Scope } from '@deviceportal/contract/permissions';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import type { DocumentState } from '@deviceportal/contract/states';
import { commandsOfDocument, documentUse } from '../../commands/data/document-use.ts';
import type { Executor } from '../../platform/database/database.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import { document, documentVersion } from './documents-tables.ts';

type StoredDocumentRow = Awaited<ReturnType<typeof selectDocumentRows>>[number];

/** Filter of documents; absent fields do not limit. */
export interface DocumentFilter {
  readonly name?: string;
  /** Part of the name or the description. */
  readonly text?: string;
  readonly states?: readonly string[];
  /** Consequence of the default version, or of the latest if there is no default. */
  readonly consequences?: readonly string[];
  /** Documents with a version in review that this user did not write; null matches none. */
  readonly reviewableBy?: string | null;
  readonly after?: Pick<StoredDocumentRow, 'name' | 'sortedAt'> | null;
}

export interface DocumentPage {
  readonly filter: DocumentFilter;
  readonly sort: 'name' | 'updatedAt';
  readonly descending: boolean;
  readonly limit: number;
  /** Scopes in which the viewer can see runs. Other runs do not count as use. */
  readonly scopes: readonly Scope[];
}

const build = new QueryBuilder();
const inReview = alias(documentVersion, 'in_review');

const versionInReview = (name: SQLWrapper, condition?: SQL) =>
  build
    .select({ version: inReview.version })
    .from(inReview)
    .where(and(eq(inReview.documentName, name), eq(inReview.state, 'review'), condition));

/**
 * Documents with their use. The page of names is selected first; use is then counted for these names only, from the
 * counters of runs and never from invocations. For viewers with limited scopes it is counted from the outcomes of
 * finished runs in their scopes.
 */
export async function selectDocumentRows(on: Executor, request: DocumentPage) {
  const { name, updatedAt } = document;
  const page = on
    .select({
      name,
      description: document.description,
      state: document.state,
      defaultVersion: document.defaultVersion,
      latestVersion: document.latestVersion,
      labels: document.labels,
      builtin: document.builtin,
      updatedAt,
      updatedBy: document.updatedBy,
      consequence: documentVersion.consequence,
      parsed: documentVersion.parsed,
    })
    .from(document)
    .innerJoin(
      documentVersion,
      and(
        eq(documentVersion.documentName, name),
        eq(
          documentVersion.version,
          sql`coalesce(${document.defaultVersion}, ${document.latestVersion})`,
        ),
      ),
    )
    .where(conditionsOf(request))
    .orderBy(...orderOf(request, document))
    .limit(request.limit)
    .as('page');
  const used = documentUse(request.scopes, page.name);
  return on
    .select({
      name: page.name,
      description: page.description,
      state: page.state,
      defaultVersion: page.defaultVersion,
      latestVersion: page.latestVersion,
      labels: page.labels,
      builtin: page.builtin,
      updatedAt: page.updatedAt,
      updatedBy: page.updatedBy,
      consequence: page.consequence,
      /** The time as PostgreSQL text, for the cursor. */
      sortedAt: sql<string>`${page.updatedAt}::text`,
      steps: sql<Pick<DocumentStep, 'action' | 'precondition'>[]>`${page.parsed}->'mainSteps'`,
      parameterCount: sql<number>`(
        select count(*)::int from json_object_keys(coalesce(${page.parsed}->'parameters', '{}')))`,
      versionInReview: sql<number | null>`${versionInReview(page.name)}`,
      commands: commandsOfDocument(page.name),
      lastUsedAt: used.lastUsedAt,
      successRate: used.successRate,
    })
    .from(page)
    .crossJoinLateral(used)
    .orderBy(...orderOf(request, page));
}

function orderOf(
  { sort, descending }: Pick<DocumentPage, 'sort' | 'descending'>,
  columns: { readonly name: SQLWrapper; readonly updatedAt: SQLWrapper },
): SQL[] {
  const direction = descending ? sql`desc` : sql`asc`;
  const keys = sort === 'name' ? [columns.name] : [columns.updatedAt, columns.name];
  return keys.map((key) => sql`${key} ${direction}`);
}

function conditionsOf({ filter, sort, descending }: DocumentPage): SQL | undefined {
  const { name, text = '', states = [], consequences = [], reviewableBy, after = null } = filter;
  const pattern = `%${likeLiteral(text)}%`;
  return and(
    name === undefined ? undefined : eq(document.name, name),
    text === ''
      ? undefined
      : or(ilike(document.name, pattern), ilike(document.description, pattern)),
    states.length === 0 ? undefined : isInState(states),
    consequences.length === 0
      ? undefined
      : inArray(documentVersion.consequence, consequences as Consequence[]),
    reviewableBy === undefined ? undefined : isReviewableBy(reviewableBy),
    after === null ? undefined : isBehind(after, { sort, descending }),
  );
}

/** The filter "in review" finds all documents that need a review, including those with an active version. */
function isInState(states: readonly string[]): SQL | undefined {
  const own = inArray(document.state, states as DocumentState[]);
  return states.includes('review') ? or(own, exists(versionInReview(document.name))) : own;
}

const isReviewableBy = (userId: string | null): SQL =>
  userId === null
    ? sql`false`
    : exists(
        versionInReview(document.name, sql`${inReview.createdById} is distinct from ${userId}`),
      );

function isBehind(
  { name, sortedAt }: Pick<StoredDocumentRow, 'name' | 'sortedAt'>,
  { sort, descending }: Pick<DocumentPage, 'sort' | 'descending'>,
): SQL {
  const comparison = descending ? sql`<` : sql`>`;
  return sort === 'name'
    ? sql`${document.name} ${comparison} ${name}`
    : sql`(${document.updatedAt}, ${document.name}) ${comparison} (${sortedAt}::timestamptz, ${name})`;
}
