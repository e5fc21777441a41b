import { z } from 'zod';
import { documentState } from '../states.ts';
import {
  consequenceSchema,
  keysOf,
  nextCursorSchema,
  pageQuery,
  timestampSchema,
} from './common-schemas.ts';
import type { PublicOperation } from './public-operation.ts';

const publicDocumentSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    state: keysOf(documentState),
    defaultVersion: z.int().nullable(),
    latestVersion: z.int(),
    consequence: consequenceSchema,
    commands: z.array(z.string()).meta({ description: 'Commands of the catalog that use it.' }),
    platforms: z.array(z.string()),
    updatedAt: timestampSchema,
  })
  .meta({ id: 'Document', description: 'A command document.' });

export const documentOperations = {
  listDocuments: {
    method: 'get',
    path: '/documents',
    tag: 'Documents',
    summary: 'List command documents, by name',
    query: z.strictObject({ text: z.string().max(200).optional(), ...pageQuery }),
    output: z
      .object({ items: z.array(publicDocumentSchema), nextCursor: nextCursorSchema })
      .meta({ id: 'DocumentPage' }),
    status: 200,
    permissions: ['documents:read'],
  },
  getDocument: {
    method: 'get',
    path: '/documents/{document}',
    tag: 'Documents',
    summary: 'Get a command document, with the parameters of its default version',
    params: z.object({ document: z.string().min(3).max(128) }),
    output: publicDocumentSchema
      .extend({
        parameters: z
          .array(
            z.object({
              name: z.string(),
              type: z.string(),
              description: z.string().nullable(),
              required: z.boolean(),
              secret: z.boolean(),
            }),
          )
          .meta({ description: 'Empty without a default version.' }),
        versions: z.array(
          z.object({
            version: z.int(),
            state: keysOf(documentState),
            sha256: z.string(),
            createdAt: timestampSchema,
          }),
        ),
      })
      .meta({ id: 'DocumentDetail' }),
    status: 200,
    permissions: ['documents:read'],
  },
} as const satisfies Record<string, PublicOperation>;
