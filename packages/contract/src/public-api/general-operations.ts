import { z } from 'zod';
import { apiTokenKinds } from '../access/api-tokens.ts';
import { searchKinds } from '../search.ts';
import { publicIdSchema, repeated, timestampSchema } from './common-schemas.ts';
import type { PublicOperation } from './public-operation.ts';

const scopeSchema = z
  .object({
    countries: z.array(z.string()),
    models: z.array(z.string()),
    labels: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Scope', description: 'Devices of a permission. An empty list does not limit.' });

export const generalOperations = {
  getToken: {
    method: 'get',
    path: '/token',
    tag: 'Token',
    summary: 'Get what this token can do at the moment',
    output: z
      .object({
        id: publicIdSchema,
        kind: z.enum(apiTokenKinds),
        name: z.string(),
        user: z.string().nullable().meta({ description: 'Null for a service token.' }),
        grants: z.array(z.object({ permissions: z.array(z.string()), scope: scopeSchema })),
        expiresAt: timestampSchema,
      })
      .meta({ id: 'Token' }),
    status: 200,
    permissions: [],
  },
  search: {
    method: 'get',
    path: '/search',
    tag: 'Search',
    summary: 'Search everything that the token can read',
    description: 'Each kind is searched with its own permission. Typing errors are corrected.',
    query: z.strictObject({
      q: z.string().trim().min(1).max(500).meta({ example: 'ana weber' }),
      kind: repeated(z.enum(searchKinds)),
    }),
    output: z
      .object({
        corrected: z
          .string()
          .nullable()
          .meta({ description: 'The corrected text, if the text as sent has no match.' }),
        groups: z.array(
          z.object({
            kind: z.enum(searchKinds),
            more: z.boolean(),
            hits: z.array(
              z.object({
                id: z.string(),
                label: z.string(),
                detail: z.string(),
                state: z.string().nullable(),
              }),
            ),
          }),
        ),
      })
      .meta({ id: 'SearchResult' }),
    status: 200,
    permissions: [],
  },
} as const satisfies Record<string, PublicOperation>;
