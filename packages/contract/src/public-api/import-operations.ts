import { z } from 'zod';
import {
  importColumnsOf,
  importEncodings,
  importKinds,
  importOutcomes,
  importStates,
  createImportInput,
} from '../imports/imports.ts';
import { nextCursorSchema, pageQuery, publicIdSchema, timestampSchema } from './common-schemas.ts';
import type { PublicOperation } from './public-operation.ts';

const columnSchema = z.enum([...new Set([...importColumnsOf.devices, ...importColumnsOf.people])]);
const count = z.int();

const problemSchema = z
  .object({
    column: columnSchema.nullable(),
    reason: z.string().meta({ description: 'As in errors. Stable, for applications.' }),
    message: z.string(),
  })
  .meta({ id: 'ImportProblem' });

export const publicImportSchema = z
  .object({
    id: publicIdSchema,
    kind: z.enum(importKinds),
    state: z.enum(importStates),
    fileName: z.string(),
    counts: z.object({
      ...{ rows: count, checked: count, new: count, changed: count, unchanged: count },
      ...{ refused: count, applied: count, undone: count, left: count },
    }),
    ignoredColumns: z.array(z.string()),
    problem: problemSchema
      .extend({ line: z.int().nullable() })
      .nullable()
      .meta({ description: 'Why the file was rejected.' }),
    createdAt: timestampSchema,
    confirmedAt: timestampSchema.nullable(),
    keptUntil: timestampSchema,
    canUndo: z.boolean(),
  })
  .meta({ id: 'Import' });

const publicRowSchema = z
  .object({
    line: z.int(),
    outcome: z.enum(importOutcomes),
    state: z.enum(['waiting', 'applied', 'undone', 'left']),
    key: z.string().nullable().meta({ description: 'Serial number or username.' }),
    targetId: publicIdSchema.nullable(),
    changes: z.array(
      z.object({
        column: columnSchema,
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    ),
    problem: problemSchema.nullable(),
  })
  .meta({ id: 'ImportRow' });

const one = z.object({ import: publicIdSchema });
const permissions = ['devices:manage or people:manage'];
const toOne = {
  tag: 'Imports',
  params: one,
  output: publicImportSchema,
  status: 200,
  permissions,
} as const;

export const importOperations = {
  listImports: {
    method: 'get',
    path: '/imports',
    tag: 'Imports',
    summary: 'List own imports, newest first',
    query: z.strictObject(pageQuery),
    output: z
      .object({ items: z.array(publicImportSchema), nextCursor: nextCursorSchema })
      .meta({ id: 'ImportPage' }),
    status: 200,
    permissions,
  },
  createImport: {
    method: 'post',
    path: '/imports',
    tag: 'Imports',
    summary: 'Create an import',
    description:
      'Send the file with `PUT` to `uploadUrl` within 15 minutes, and then continue with `advance`. People cannot be imported with a token, because this requires a second step.',
    body: z
      .strictObject({
        kind: z.enum(importKinds),
        fileName: createImportInput.shape.fileName,
        encoding: z.enum(importEncodings).default('unicode'),
      })
      .meta({ id: 'NewImport' }),
    output: z
      .object({
        id: publicIdSchema,
        uploadUrl: z.string().meta({ description: 'Relative to the portal.' }),
      })
      .meta({ id: 'CreatedImport' }),
    status: 201,
    permissions,
  },
  getImport: {
    method: 'get',
    path: '/imports/{import}',
    summary: 'Get an import',
    ...toOne,
  },
  listImportRows: {
    method: 'get',
    path: '/imports/{import}/rows',
    tag: 'Imports',
    summary: 'List the rows of an import, rejected ones first',
    params: one,
    query: z.strictObject({
      show: z.enum([...importOutcomes, 'left']).optional(),
      ...pageQuery,
    }),
    output: z
      .object({ items: z.array(publicRowSchema), nextCursor: nextCursorSchema })
      .meta({ id: 'ImportRowPage' }),
    status: 200,
    permissions,
  },
  advanceImport: {
    method: 'post',
    path: '/imports/{import}/advance',
    summary: 'Continue an import',
    description:
      'Checks, writes, or undoes rows for about a second. Repeat it while the state is `checking`, `applying`, or `undoing`.',
    ...toOne,
  },
  confirmImport: {
    method: 'post',
    path: '/imports/{import}/confirm',
    summary: 'Confirm an import',
    description: 'Starts to write the new and changed rows. A repeated request changes nothing.',
    ...toOne,
  },
  undoImport: {
    method: 'post',
    path: '/imports/{import}/undo',
    summary: 'Undo an import',
    description: 'Within 24 hours. What was changed since is left.',
    ...toOne,
  },
  discardImport: {
    method: 'post',
    path: '/imports/{import}/discard',
    summary: 'Discard an import that is not confirmed',
    ...toOne,
  },
} as const satisfies Record<string, PublicOperation>;
