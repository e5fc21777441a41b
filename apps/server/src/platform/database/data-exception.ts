/**
 * Whether PostgreSQL refused a value itself (SQLSTATE class 22, "data exception"): a NUL character, half a surrogate
 * pair. The driver's error may be the cause of another.
 */
export function isDataException(error: unknown): boolean {
  return sqlStateOf(error)?.startsWith('22') === true;
}

/** A text that no PostgreSQL text can be (22021, 22P05): it can only come from outside. */
export function isImpossibleText(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === '22021' || state === '22P05';
}

function sqlStateOf(error: unknown): string | undefined {
  for (let each: unknown = error, depth = 0; each instanceof Error && depth < 5; depth += 1) {
    if ('code' in each && typeof each.code === 'string' && /^[0-9A-Z]{5}$/.test(each.code)) {
      return each.code;
    }
    each = each.cause;
  }
  return undefined;
}
