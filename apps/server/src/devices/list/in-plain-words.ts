import { toPlainName } from '@deviceportal/contract/plain-name';

/** What a device says of itself in these fields, without the characters that make it read as something else. */
export function inPlainWords<Said extends object>(
  said: Said,
  fields: readonly (keyof Said)[],
): Said {
  const plain = fields.map((field) => {
    const text = said[field];
    return [field, typeof text === 'string' ? toPlainName(text) : text];
  });
  return { ...said, ...(Object.fromEntries(plain) as Partial<Said>) };
}
