import { toPlainName } from '@deviceportal/contract/plain-name';

/**
 * Removes control and formatting characters from fields that a device reports, so that they cannot be displayed as
 * something else.
 */
export function sanitizeReportedText<Said extends object>(
  said: Said,
  fields: readonly (keyof Said)[],
): Said {
  const plain = fields.map((field) => {
    const text = said[field];
    return [field, typeof text === 'string' ? toPlainName(text) : text];
  });
  return { ...said, ...(Object.fromEntries(plain) as Partial<Said>) };
}
