import { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import {
  importColumnsOf,
  type ImportColumn,
  type ImportKind,
  type ImportProblem,
  type ImportRow,
  type ImportRowPage,
  type listImportRowsInput,
} from '@deviceportal/contract/imports';
import { refuse } from '@deviceportal/contract/refuse';
import { findPeople } from '../people/data/person-queries.ts';
import { maskedPerson } from '../people/masked-person.ts';
import type { Executor } from '../platform/database/database.ts';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findImport } from './data/import-queries.ts';
import { selectRowsOfImport } from './data/import-row-queries.ts';
import type { ImportsDeps } from './imports-deps.ts';
import { requireKind } from './kind-of-rows.ts';
import { openRows, type OpenRow } from './steps/step-rows.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Rows of an own import: refused ones first, then those that change something.
 * @throws PortalError 2003; 1000 if the user is no longer permitted to import them
 */
export async function listRows(
  { database: { orm }, imports: { vault } }: Pick<ImportsDeps, 'database' | 'imports'>,
  viewer: Viewer,
  { id, show, pageSize, cursor }: z.infer<typeof listImportRowsInput>,
): Promise<ImportRowPage> {
  const found = await findImport(orm, viewer.userId, id);
  if (found === undefined) throw new PortalError('notFound', { facts: { id } });
  requireKind(viewer, found.kind);
  const stored = await selectRowsOfImport(orm, id, {
    show,
    after: cursor === null ? null : readCursor(cursor),
    limit: pageSize + 1,
  });
  const page = openRows(vault, stored.slice(0, pageSize));
  const owners = found.kind === 'devices' ? await ownersOf(orm, viewer, page) : new Map();
  const last = stored.length > pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map((row) => shownRow(row, found.kind, owners)),
    nextCursor: last === undefined ? null : encodeCursor([String(last.rank), String(last.line)]),
  };
}

const cursorParts = z.tuple([z.coerce.number().int().max(9), z.coerce.number().int()]);

function readCursor(cursor: string): [number, number] {
  const parsed = cursorParts.safeParse(decodeCursor(cursor, 2));
  if (parsed.success) return parsed.data;
  throw refuse('cursor-invalid', { field: 'cursor' });
}

/** The email addresses or names of owners, masked where the viewer sees them so. */
async function ownersOf(
  on: Executor,
  viewer: Viewer,
  rows: readonly OpenRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows
    .flatMap(({ content: { before, after } }) => [before, after] as (Values | null)[])
    .flatMap((values) => (typeof values?.['ownerId'] === 'string' ? [values['ownerId']] : []));
  const people = await findPeople(on, viewer, [...new Set(ids)]);
  return new Map(
    people.map(maskedPerson).map(({ id, email, name }) => [id, email ?? name] as const),
  );
}

function shownRow(
  { line, outcome, state, targetId, reason, columnName, content }: OpenRow,
  kind: ImportKind,
  owners: ReadonlyMap<string, string>,
): ImportRow {
  const before = content.before as Values | null;
  const after = content.after as Values | null;
  const problem: ImportProblem | null =
    reason === null
      ? null
      : {
          ...{ column: columnName as ImportColumn | null, reason },
          ...{ facts: content.facts, message: content.message },
        };
  return {
    ...{ line, state, targetId, problem },
    outcome: outcome ?? 'unchanged',
    key: content.key,
    changes: importColumnsOf[kind]
      .map((column) => ({
        column,
        before: textOf(before, column, owners),
        after: textOf(after, column, owners),
      }))
      .filter((change) => after !== null && change.before !== change.after),
  };
}

function textOf(
  values: Values | null,
  column: ImportColumn,
  owners: ReadonlyMap<string, string>,
): string | null {
  if (values === null) return null;
  const value = column === 'ownerEmail' ? values['ownerId'] : values[column];
  if (typeof value === 'string')
    return column === 'ownerEmail' ? (owners.get(value) ?? '•••') : value;
  if (typeof value !== 'object' || value === null) return null;
  const pairs = Object.entries(value).map(([key, label]) => `${key}=${String(label)}`);
  return pairs.length === 0 ? null : pairs.toSorted().join('; ');
}
