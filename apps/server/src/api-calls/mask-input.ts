const MOST_CHARACTERS = 2_000;
const secretName =
  /(token|secret|password|code|authorization|parameters|csv|text|content|comment|label|cursor)$/i;

/** An input as the API call log keeps it: what may be secret or personal is masked, the rest is cut. */
export function maskInput(input: unknown): string | null {
  if (input === undefined) return null;
  const masked = JSON.stringify(input, (key, value: unknown) =>
    secretName.test(key) && value !== '' && value !== null ? '•••' : value,
  );
  // A cut may go through a surrogate pair: half of one is no text for PostgreSQL.
  return masked.length > MOST_CHARACTERS
    ? `${masked.slice(0, MOST_CHARACTERS).toWellFormed()}…`
    : masked;
}
