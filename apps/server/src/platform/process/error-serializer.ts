import pino from 'pino';

/**
 * Fields of a failed statement that contain values: parameters, and row data in PostgreSQL's
 * messages. Codes and table names are kept.
 */
const WITHHELD = ['params', 'parameters', 'detail', 'where', 'internalQuery'] as const;
/**
 * End of Drizzle's message of a failed query. Values can contain line feeds, so everything after it
 * is removed.
 */
const GIVEN = /\nparams: [\s\S]*$/;

/**
 * Serializes errors for the log. Statement parameters contain names, addresses, and codes of users.
 */
export function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return pino.stdSerializers.err(withoutValues(error));
}

function withoutValues(error: Error): Error {
  const message = stripped(error);
  const copy = new Error(message);
  const own = Object.entries(error).filter(
    ([name]) => name !== 'cause' && !WITHHELD.some((each) => each === name),
  );
  Object.assign(copy, Object.fromEntries(own));
  Object.defineProperty(copy, 'name', { value: error.name, enumerable: false });
  Object.defineProperty(copy, 'stack', { value: stackOf(error, message), enumerable: false });
  if (error.cause instanceof Error) {
    Object.defineProperty(copy, 'cause', { value: withoutValues(error.cause), enumerable: false });
    // Only the messages of causes are logged. Without its values, the SQLSTATE is the most
    // informative part.
    const { code } = error.cause as { code?: unknown };
    if (code !== undefined && !('code' in copy)) Object.assign(copy, { code });
  }
  return copy;
}

/** Messages of SQLSTATE class 22 (data exceptions) repeat the rejected value after a colon. */
function stripped(error: Error): string {
  const text = error.message.replace(GIVEN, '');
  const { severity, code } = error as { severity?: unknown; code?: unknown };
  const repeats = severity !== undefined && typeof code === 'string' && code.startsWith('22');
  return repeats ? (text.split(':', 1)[0] ?? '') : text;
}

/** The stack starts with the message, which is replaced as a whole. */
function stackOf({ name, message, stack = '' }: Error, shown: string): string {
  const start = stack.indexOf(message);
  return `${name}: ${shown}${start < 0 ? '' : stack.slice(start + message.length)}`;
}
