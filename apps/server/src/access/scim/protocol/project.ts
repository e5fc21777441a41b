type Json = Readonly<Record<string, unknown>>;

/** Which attributes the client asked for. */
export interface Projection {
  readonly attributes: readonly string[];
  readonly excluded: readonly string[];
}

const ALWAYS = new Set(['schemas', 'id']);

export function readProjection(query: {
  readonly attributes?: string | undefined;
  readonly excludedAttributes?: string | undefined;
}): Projection {
  return { attributes: namesOf(query.attributes), excluded: namesOf(query.excludedAttributes) };
}

/** Only the attributes that were asked for (RFC 7644, section 3.9), by their first name: `name` for `name.givenName`. */
export function project(resource: Json, { attributes, excluded }: Projection): Json {
  if (attributes.length === 0 && excluded.length === 0) return resource;
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => {
      if (ALWAYS.has(name)) return true;
      const key = name.toLowerCase();
      return attributes.length > 0 ? attributes.includes(key) : !excluded.includes(key);
    }),
  );
}

/** Whether an attribute is in the answer, so that costly ones are not read in vain. */
export const isAskedFor = (name: string, { attributes, excluded }: Projection): boolean =>
  attributes.length > 0 ? attributes.includes(name) : !excluded.includes(name);

const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

function namesOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  return text
    .split(',', 50)
    .map((name) => name.trim().replace(coreSchema, '').toLowerCase())
    .flatMap((name) => name.split('.', 1))
    .filter((name) => name !== '');
}
