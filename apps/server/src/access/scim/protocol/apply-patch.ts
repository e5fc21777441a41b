import { z } from 'zod';
import { readFilter, type Comparison } from './read-filter.ts';
import { invalid } from './scim-error.ts';

type Json = Readonly<Record<string, unknown>>;

/** `read-only` attributes are accepted in objects without a path, and ignored there. */
export type AttributeKind =
  | 'simple'
  | 'read-only'
  /** Accepted and ignored: attributes of RFC 7643 that the portal does not store. */
  | 'unused'
  | { readonly complex: readonly string[] }
  | { readonly list: readonly string[] };

/** Attributes of a resource type by name. */
export type Attributes = Readonly<Record<string, AttributeKind>>;

const MOST_OPERATIONS = 1_000;

const operationsSchema = z.object({
  Operations: z
    .array(
      z.object({
        op: z
          .string()
          .transform((op) => op.toLowerCase())
          .pipe(z.enum(['add', 'replace', 'remove'])),
        path: z.string().max(2_000).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(MOST_OPERATIONS),
});

type Operation = z.output<typeof operationsSchema>['Operations'][number];

/**
 * Applies the operations of a PATCH (RFC 7644, section 3.5.2) to the writable attributes of a resource. Also accepts
 * what Entra ID and Okta send: `Replace` with a capital, an object without a path whose names are paths, `True` and
 * `False` as text (converted where the attributes are read), and members to remove in the value.
 * @throws ScimError 400
 */
export function applyPatch(attributes: Attributes, resource: Json, body: unknown): Json {
  const parsed = operationsSchema.safeParse(body);
  if (!parsed.success) throw invalid('Operations are add, replace, or remove.', 'invalidSyntax');
  let patched = resource;
  for (const operation of parsed.data.Operations) {
    patched =
      operation.path === undefined || operation.path === ''
        ? applyObject(attributes, patched, operation)
        : applyAt(attributes, patched, { ...operation, path: operation.path });
  }
  return patched;
}

function applyObject(attributes: Attributes, resource: Json, { op, value }: Operation): Json {
  if (op === 'remove') throw invalid('To remove an attribute, name it in the path.', 'noTarget');
  if (!isObject(value)) throw invalid('Without a path, the value is an object.');
  let patched = resource;
  for (const [path, part] of Object.entries(value)) {
    if (find(attributes, path)?.kind === 'read-only') continue;
    patched = applyAt(attributes, patched, { op, path, value: part });
  }
  return patched;
}

interface Target {
  readonly name: string;
  readonly kind: AttributeKind;
  readonly filter: readonly Comparison[] | undefined;
  readonly sub: string | undefined;
}

const pathPattern = /^([A-Za-z$]\w*)(?:\[(.+)\])?(?:\.([A-Za-z$]\w*))?$/;
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/** Undefined for a path that names no attribute. */
function find(attributes: Attributes, path: string): Target | undefined {
  const bare = path.replace(coreSchema, '');
  // An attribute of an extension.
  if (/^urn:/i.test(bare)) return { name: bare, kind: 'unused', filter: undefined, sub: undefined };
  const [, attribute, filter, subAttribute] = pathPattern.exec(bare) ?? [];
  const name = Object.keys(attributes).find(
    (each) => each.toLowerCase() === attribute?.toLowerCase(),
  );
  const kind = name === undefined ? undefined : attributes[name];
  if (name === undefined || kind === undefined) return undefined;
  if (typeof kind === 'string') return { name, kind, filter: undefined, sub: undefined };
  const subs = 'complex' in kind ? kind.complex : kind.list;
  const sub = subs.find((each) => each.toLowerCase() === subAttribute?.toLowerCase());
  if (subAttribute !== undefined && sub === undefined) return undefined;
  if (filter !== undefined && !('list' in kind)) return undefined;
  return { name, kind, filter: filter === undefined ? undefined : readFilter(filter), sub };
}

interface At {
  readonly op: Operation['op'];
  readonly path: string;
  readonly value?: unknown;
}

function applyAt(attributes: Attributes, resource: Json, at: At): Json {
  const target = find(attributes, at.path);
  if (target === undefined) throw invalid(`There is no attribute ${at.path}.`, 'invalidPath');
  const { name, kind, sub } = target;
  if (kind === 'unused') return resource;
  if (kind === 'read-only') throw invalid(`${name} cannot be changed.`, 'mutability');
  if (at.op !== 'remove' && at.value === undefined) throw invalid(`${at.path} needs a value.`);
  const before = resource[name];
  if (kind === 'simple')
    return withValue(resource, name, at.op === 'remove' ? undefined : at.value);
  if ('list' in kind) return withValue(resource, name, listAfter(listOf(before), target, at));
  const object = isObject(before) ? before : {};
  if (sub !== undefined) {
    return withValue(
      resource,
      name,
      withValue(object, sub, at.op === 'remove' ? undefined : at.value),
    );
  }
  if (at.op === 'remove') return withValue(resource, name, undefined);
  if (!isObject(at.value)) throw invalid(`${name} is an object.`);
  return withValue(resource, name, at.op === 'add' ? { ...object, ...at.value } : at.value);
}

function listAfter(
  before: readonly Json[],
  { name, filter, sub }: Target,
  at: At,
): readonly Json[] {
  const isMeant = (item: Json): boolean =>
    filter === undefined || filter.every((comparison) => isMatch(item, comparison));
  if (at.op === 'remove') {
    if (sub !== undefined) {
      return before.map((item) => (isMeant(item) ? withValue(item, sub, undefined) : item));
    }
    const removed = at.value === undefined ? undefined : itemsOf(name, at.value);
    return before.filter(
      (item) =>
        !isMeant(item) ||
        (removed !== undefined && !removed.some(({ value }) => value === item['value'])),
    );
  }
  if (filter === undefined && sub === undefined) {
    const items = itemsOf(name, at.value);
    if (at.op === 'replace') return onePrimary(items);
    const kept = before.filter((item) => !items.some(({ value }) => value === item['value']));
    return onePrimary([...kept, ...items]);
  }
  const change = sub === undefined ? at.value : { [sub]: at.value };
  if (!isObject(change)) throw invalid(`${name} is a list of objects.`);
  if (before.some(isMeant)) {
    return before.map((item) => (isMeant(item) ? { ...item, ...change } : item));
  }
  return [...before, { ...valuesOf(filter ?? []), ...change }];
}

/** An item that fulfils a filter: what Entra ID means by setting a value that does not exist yet. */
function valuesOf(filter: readonly Comparison[]): Json {
  return Object.fromEntries(
    filter.map(({ attribute, value }): [string, unknown] => [attribute, value]),
  );
}

function isMatch(item: Json, { attribute, value }: Comparison): boolean {
  const key = Object.keys(item).find((each) => each.toLowerCase() === attribute);
  const own = key === undefined ? undefined : item[key];
  return typeof own === 'string' && typeof value === 'string'
    ? own.toLowerCase() === value.toLowerCase()
    : own === value;
}

/** The last item that claims to be the primary one is. */
function onePrimary(items: readonly Json[]): readonly Json[] {
  const last = items.findLastIndex((item) => item['primary'] === true);
  return items.map((item, index) =>
    item['primary'] === true && index !== last ? { ...item, primary: false } : item,
  );
}

function itemsOf(name: string, value: unknown): readonly Json[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    if (typeof item === 'string') return { value: item };
    if (isObject(item)) return item;
    throw invalid(`${name} is a list of objects.`);
  });
}

const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy with one attribute set, or without it. Null is no value (RFC 7643, section 2.5). */
function withValue(resource: Json, name: string, value: unknown): Json {
  const { [name]: _before, ...others } = resource;
  return value === undefined || value === null ? others : { ...others, [name]: value };
}
