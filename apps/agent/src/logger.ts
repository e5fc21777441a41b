export type LogLevel = 'info' | 'warn' | 'error';
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>;
export type Logger = (level: LogLevel, message: string, facts?: LogFacts) => void;

export const silentLogger: Logger = () => {};

/** One readable line per record on standard error. A service manager adds time and name. */
export const standardErrorLogger: Logger = (level, message, facts = {}) => {
  const details = Object.entries(facts).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  process.stderr.write(`${[level, message, ...details].join(' ')}\n`);
};

/** The error with its causes on one line, because "fetch failed" alone is not informative. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A host with several addresses fails once per address; the first error is enough.
  const own =
    error.message || (error instanceof AggregateError && reasonOf(error.errors[0])) || error.name;
  return error.cause instanceof Error ? `${own}: ${reasonOf(error.cause)}` : own;
}
