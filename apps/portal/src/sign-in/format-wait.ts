/** Formats a duration as `4:05`. */
export function formatWait(waitMs: number): string {
  const seconds = Math.max(0, Math.ceil(waitMs / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
