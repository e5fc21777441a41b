import { PUBLIC_API_PATH } from '@deviceportal/contract/api-tokens';
import { publicOperations } from '@deviceportal/contract/public-api';
import { errorSchema } from '@deviceportal/contract/public-api-errors';
import { IDEMPOTENCY_DAYS, type PublicOperation } from '@deviceportal/contract/public-operation';
import { z } from 'zod';

type Json = Readonly<Record<string, unknown>>;

const SECURITY = 'apiToken';

/**
 * The description of `/api/v1` in OpenAPI 3.1, from the schemas that its requests and responses pass. Schemas of OpenAPI
 * 3.1 are JSON Schema 2020-12, which zod exports.
 */
export function openApiDocument(publicUrl: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [id, operation] of Object.entries<PublicOperation>(publicOperations)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describe(id, operation),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Device Portal API',
      version: '1',
      description:
        'Find devices, see what is wrong, run commands, and work on cases, with the permissions and the devices of a token.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${publicUrl}${PUBLIC_API_PATH}` }],
    security: [{ [SECURITY]: [] }],
    tags: [...new Set(Object.values(publicOperations).map(({ tag }) => tag))].map((name) => ({
      name,
    })),
    paths,
    components: {
      securitySchemes: {
        [SECURITY]: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token: `dpat_…` of a user, or `dpst_…` of a service.',
        },
      },
      schemas: componentSchemas(),
      responses: { Error: errorResponse },
    },
  };
}

const errorResponse: Json = {
  description: 'The request was rejected, or failed.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

function describe(id: string, operation: PublicOperation): Json {
  const { tag, summary, description, permissions, status, output, body } = operation;
  const needs = permissions.map((each) => `\`${each}\``).join(', ');
  const about = [description, needs === '' ? undefined : `Required permissions: ${needs}.`];
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: about.filter((each) => each !== undefined).join('\n\n') || summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: jsonOf(body) },
    }),
    responses: {
      [status]: { description: summary, headers: rateHeaders, content: jsonOf(output) },
      '4XX': { $ref: '#/components/responses/Error' },
      '5XX': { $ref: '#/components/responses/Error' },
    },
  };
}

const rateHeaders: Json = {
  RateLimit: {
    description: 'Requests that are left, and seconds until all are available again.',
    schema: { type: 'string' },
    example: '"default";r=99;t=1',
  },
};

const jsonOf = (schema: z.ZodType): Json => ({
  'application/json': { schema: { $ref: `#/components/schemas/${idOf(schema)}` } },
});

function idOf(schema: z.ZodType): string {
  const { id } = schema.meta() ?? {};
  if (id === undefined) throw new Error('a schema of the public API has no ID');
  return id;
}

function parametersOf({ params, query, idempotencyKey }: PublicOperation): Json[] {
  return [
    ...fieldsOf(params, 'path'),
    ...fieldsOf(query, 'query'),
    ...(idempotencyKey === undefined
      ? []
      : [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: idempotencyKey === 'required',
            description: `A value of your choice, new for every new request, and the same for a retry. Recognized for ${IDEMPOTENCY_DAYS} days.`,
            schema: { type: 'string', minLength: 1, maxLength: 200 },
            example: '4d1c1e9e-3c0d-4b8f-8d0a-0c5f2f0b8a11',
          },
        ]),
  ];
}

function fieldsOf(schema: PublicOperation['params'], place: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, examples, ...field }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    ...(Array.isArray(examples) && { example: examples[0] as unknown }),
    schema: field,
  }));
}

/** Schemas with an ID: bodies as they are sent, others as they are received. */
function componentSchemas(): Json {
  const schemas: Record<string, unknown> = {};
  const add = (schema: z.ZodType, io: 'input' | 'output'): void => {
    const { $defs = {}, ...own } = schemaOf(schema, io);
    Object.assign(schemas, { [idOf(schema)]: own }, $defs);
  };
  add(errorSchema, 'output');
  for (const { body, output } of Object.values<PublicOperation>(publicOperations)) {
    if (body) add(body, 'input');
    add(output, 'output');
  }
  return Object.fromEntries(
    Object.entries(schemas).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

interface SchemaJson extends Json {
  readonly $defs?: Json;
}

/** A schema whose references lead to the components of the document. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): SchemaJson {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { example, ...others } = jsonSchema;
      if (example !== undefined) {
        delete jsonSchema['example'];
        Object.assign(jsonSchema, others, { examples: [example] });
      }
      // Later versions can add fields to responses.
      if (io === 'output' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
  const text = JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _version, ...own } = JSON.parse(text) as SchemaJson;
  return own;
}
