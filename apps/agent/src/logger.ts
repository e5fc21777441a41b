export type LogLevel = 'info' | 'warn' | 'error';
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>;
export type Logger = (level: LogLevel, message: string, facts?: LogFacts) => void;

export const silentLogger: Logger = () => {};

/** One line for a person per record, on standard error: a service manager adds time and name itself. */
export const standardErrorLogger: Logger = (level, message, facts = {}) => {
  const details = Object.entries(facts).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  process.stderr.write(`${[level, message, ...details].join(' ')}\n`);
};

/** One line: "fetch failed" alone says nothing, its causes do. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A name with several addresses fails once for each; the first says enough.
  const own =
    error.message || (error instanceof AggregateError && reasonOf(error.errors[0])) || error.name;
  return error.cause instanceof Error ? `${own}: ${reasonOf(error.cause)}` : own;
}
