import {
  parse,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Json, RecordedRequest } from './vector-case.ts';
import { openPassword } from './provider-keys.ts';

const KEPT = /^(?:x-|authorization$|content-type$)/;

/** A request in the recordings' format: parsed GraphQL and decrypted passwords. */
export async function parseRequest(
  request: Request,
): Promise<RecordedRequest & { readonly selection?: Json }> {
  const { pathname, searchParams } = new URL(request.url);
  const headers = Object.fromEntries(
    [...request.headers].filter(([name]) => KEPT.test(name)),
  ) as Record<string, string>;
  const common = {
    method: request.method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers,
  };
  const type = headers['content-type'] ?? '';
  if (type.startsWith('multipart/')) {
    return { ...common, bodyKind: 'multipart', body: await readForm(request) };
  }
  const text = await request.text();
  if (type.includes('x-www-form-urlencoded')) {
    const body = Object.fromEntries(new URLSearchParams(text));
    return { ...common, bodyKind: 'form', body };
  }
  if (text === '') return { ...common, bodyKind: 'none', body: null };
  const body = JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'string' ? openPassword(value) : value,
  ) as { query?: string; variables?: { readonly [name: string]: Json } };
  if (pathname !== '/graphql/v2' || body.query === undefined) {
    return { ...common, bodyKind: 'json', body: body as Json };
  }
  return { ...common, bodyKind: 'graphql', ...readGraphql(body.query, body.variables ?? {}) };
}

async function readForm(request: Request): Promise<Json> {
  const form = await request.formData();
  return [...form].map(([name, value]) =>
    typeof value === 'string'
      ? { name, value }
      : { name, filename: value.name, contentType: value.type, size: value.size },
  );
}

function readGraphql(
  query: string,
  variables: { readonly [name: string]: Json },
): { readonly body: Json; readonly selection: Json } {
  const [definition] = parse(query).definitions as unknown as [OperationDefinitionNode];
  const root = definition.selectionSet.selections[0] as FieldNode;
  const rootArguments = argumentsOf(root);
  const given = Object.entries(rootArguments).flatMap(([name, reference]) => {
    const value = variables[reference.slice(1)];
    return value === undefined ? [] : [[name, value] as const];
  });
  const body = {
    operationType: definition.operation,
    operationName: definition.name?.value ?? '',
    rootFields: [root.name.value],
    rootArgs: [rootArguments],
    variableDefinitions: Object.fromEntries(
      (definition.variableDefinitions ?? []).map(({ variable, type }) => [
        variable.name.value,
        query.slice(type.loc?.start, type.loc?.end),
      ]),
    ),
    variables,
    effectiveArgs: [{ field: root.name.value, args: Object.fromEntries(given) }],
  };
  return { body, selection: selectionOf(root.selectionSet) };
}

function argumentsOf(field: FieldNode): { readonly [name: string]: string } {
  return Object.fromEntries(
    (field.arguments ?? []).map(({ name, value }) => [
      name.value,
      value.kind === 'Variable' ? `$${value.name.value}` : '',
    ]),
  );
}

function selectionOf(set: SelectionSetNode | undefined): Json {
  if (set === undefined) return null;
  return set.selections.map((selection) => {
    const field = selection as FieldNode;
    if (!field.selectionSet) return field.name.value;
    const args = argumentsOf(field);
    return {
      field: field.name.value,
      ...(Object.keys(args).length > 0 ? { args } : {}),
      selection: selectionOf(field.selectionSet),
    };
  });
}
