const MOST_CAUSES = 5;

/**
 * Whether PostgreSQL refused a value itself (SQLSTATE class 22, "data exception"), such as a text with the character NUL
 * or a number that is too large: it came from outside. The driver's error may be the cause of another.
 */
export function isDataException(error: unknown): boolean {
  let each = error;
  for (let depth = 0; each instanceof Error && depth < MOST_CAUSES; depth += 1) {
    if ('code' in each && typeof each.code === 'string' && /^22[0-9A-Z]{3}$/.test(each.code)) {
      return true;
    }
    each = each.cause;
  }
  return false;
}
