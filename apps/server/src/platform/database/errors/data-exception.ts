/**
 * Whether PostgreSQL rejected a value (SQLSTATE class 22, "data exception"), such as a NUL
 * character or an unpaired surrogate. The driver's error can be the cause of another error.
 */
export function isDataException(error: unknown): boolean {
  return sqlStateOf(error)?.startsWith('22') === true;
}

/**
 * Whether the value is a text that PostgreSQL cannot store (22021, 22P05), which always comes from
 * a client.
 */
export function isImpossibleText(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === '22021' || state === '22P05';
}

/** Errors of the operating system can have five letters, too (EPIPE), and no SQLSTATE begins with E. */
const SQLSTATE = /^[0-9A-DF-Z][0-9A-Z]{4}$/;

/** The code of the error that PostgreSQL reported (SQLSTATE), if any. */
export function sqlStateOf(error: unknown): string | undefined {
  for (let each: unknown = error, depth = 0; each instanceof Error && depth < 5; depth += 1) {
    if ('code' in each && typeof each.code === 'string' && SQLSTATE.test(each.code)) {
      return each.code;
    }
    each = each.cause;
  }
  return undefined;
}
