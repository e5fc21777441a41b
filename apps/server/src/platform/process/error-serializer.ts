import pino from 'pino';

/** Of a failed statement: what it was given, and what PostgreSQL says of rows (codes and names of tables stay). */
const WITHHELD = ['params', 'parameters', 'detail', 'where', 'internalQuery'] as const;
/** How Drizzle ends the message of a failed query. Values may have line feeds, so all that follows goes. */
const GIVEN = /\nparams: [\s\S]*$/;

/** Errors as they are logged: parameters of statements hold names, addresses and codes of people. */
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
    // Only messages of causes are logged, and without its values the SQL state says most.
    const { code } = error.cause as { code?: unknown };
    if (code !== undefined && !('code' in copy)) Object.assign(copy, { code });
  }
  return copy;
}

/** SQL states of class 22 (data exceptions) repeat the value that they refuse, after a colon. */
function stripped(error: Error): string {
  const text = error.message.replace(GIVEN, '');
  const { severity, code } = error as { severity?: unknown; code?: unknown };
  const repeats = severity !== undefined && typeof code === 'string' && code.startsWith('22');
  return repeats ? (text.split(':', 1)[0] ?? '') : text;
}

/** The message stands at the beginning of the stack: whatever it holds is replaced as a whole. */
function stackOf({ name, message, stack = '' }: Error, shown: string): string {
  const start = stack.indexOf(message);
  return `${name}: ${shown}${start < 0 ? '' : stack.slice(start + message.length)}`;
}
