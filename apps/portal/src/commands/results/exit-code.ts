/** What the command ended with; -1 is what agents send where it never came to an end of its own. */
export function exitCodeOf(responseCode: number | null): number | null {
  return responseCode === null || responseCode < 0 ? null : responseCode;
}
