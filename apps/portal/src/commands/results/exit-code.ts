/** The exit code of a command. Agents send -1 if the process did not exit by itself. */
export function exitCodeOf(responseCode: number | null): number | null {
  return responseCode === null || responseCode < 0 ? null : responseCode;
}
