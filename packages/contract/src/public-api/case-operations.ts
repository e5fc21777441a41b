import { z } from 'zod';
import { addCaseNoteInput, closeCaseInput, openCaseInput } from '../people/cases.ts';
import { caseOutcome, casePriority, caseState } from '../states.ts';
import {
  flagSchema,
  keysOf,
  nextCursorSchema,
  pageQuery,
  publicIdSchema,
  timestampSchema,
  valuesSchema,
} from './common-schemas.ts';
import type { PublicOperation } from './public-operation.ts';

export const publicCaseSchema = z
  .object({
    id: publicIdSchema,
    person: z
      .object({ id: publicIdSchema, name: z.string() })
      .meta({ description: 'The name is masked without the permission people:read.' }),
    state: keysOf(caseState),
    ticket: z.string().meta({ description: 'Number in the ticket system; empty without one.' }),
    about: z.string(),
    priority: keysOf(casePriority),
    queue: z.string(),
    assignee: z.object({ id: publicIdSchema, name: z.string() }).nullable(),
    openedBy: z.string(),
    openedAt: timestampSchema,
    dueAt: timestampSchema.nullable(),
    closedAt: timestampSchema.nullable(),
    outcome: keysOf(caseOutcome).nullable(),
    lastEntryAt: timestampSchema,
  })
  .meta({ id: 'Case' });

const publicCaseDetailSchema = publicCaseSchema
  .extend({
    closedBy: z.string().nullable(),
    outcomeText: z.string(),
    devices: z.array(
      z.object({ id: publicIdSchema, name: z.string(), serialNumber: z.string().nullable() }),
    ),
  })
  .meta({ id: 'CaseDetail' });

const publicCaseEntrySchema = z
  .object({
    id: publicIdSchema,
    at: timestampSchema,
    actor: z.string(),
    kind: z.string().meta({ example: 'note' }),
    deviceId: publicIdSchema.nullable(),
    runId: publicIdSchema.nullable(),
    data: valuesSchema,
  })
  .meta({ id: 'CaseEntry' });

const newCaseSchema = z
  .strictObject({
    personId: publicIdSchema,
    ticket: openCaseInput.shape.ticket,
    about: openCaseInput.shape.about,
    priority: openCaseInput.shape.priority,
    queue: openCaseInput.shape.queue,
    dueAt: z.iso.datetime({ offset: true }).optional(),
  })
  .meta({ id: 'NewCase' });

const one = z.object({ case: publicIdSchema });

export const caseOperations = {
  listCases: {
    method: 'get',
    path: '/cases',
    tag: 'Cases',
    summary: 'List cases, newest first',
    query: z.strictObject({
      state: keysOf(caseState).optional(),
      mine: flagSchema.meta({ description: 'Only cases of the user of the token.' }),
      personId: publicIdSchema.optional(),
      ticket: z.string().max(100).optional().meta({ description: 'Start of a ticket number.' }),
      ...pageQuery,
    }),
    output: z
      .object({ items: z.array(publicCaseSchema), nextCursor: nextCursorSchema })
      .meta({ id: 'CasePage' }),
    status: 200,
    permissions: ['cases:read or cases:manage'],
  },
  getCase: {
    method: 'get',
    path: '/cases/{case}',
    tag: 'Cases',
    summary: 'Get a case',
    params: one,
    output: publicCaseDetailSchema,
    status: 200,
    permissions: ['cases:read or cases:manage'],
  },
  listCaseEntries: {
    method: 'get',
    path: '/cases/{case}/entries',
    tag: 'Cases',
    summary: 'List the entries of a case, newest first',
    params: one,
    query: z.strictObject(pageQuery),
    output: z
      .object({ items: z.array(publicCaseEntrySchema), nextCursor: nextCursorSchema })
      .meta({ id: 'CaseEntryPage' }),
    status: 200,
    permissions: ['cases:read or cases:manage'],
  },
  openCase: {
    method: 'post',
    path: '/cases',
    tag: 'Cases',
    summary: 'Open a case for a person',
    description: 'If the caller already has an open case for the person, that case is returned.',
    body: newCaseSchema,
    output: publicCaseDetailSchema,
    status: 201,
    permissions: ['cases:manage'],
  },
  addCaseEntry: {
    method: 'post',
    path: '/cases/{case}/entries',
    tag: 'Cases',
    summary: 'Add a note to a case',
    params: one,
    body: z.strictObject({ text: addCaseNoteInput.shape.text }).meta({ id: 'NewCaseEntry' }),
    output: publicCaseDetailSchema,
    status: 201,
    idempotencyKey: 'optional',
    permissions: ['cases:manage'],
  },
  closeCase: {
    method: 'post',
    path: '/cases/{case}/close',
    tag: 'Cases',
    summary: 'Close a case',
    params: one,
    body: z
      .strictObject({ outcome: closeCaseInput.shape.outcome, text: closeCaseInput.shape.text })
      .meta({ id: 'CaseClosing' }),
    output: publicCaseDetailSchema,
    status: 200,
    permissions: ['cases:manage'],
  },
} as const satisfies Record<string, PublicOperation>;
