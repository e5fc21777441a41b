/** A month of a generated trail. */
export interface GeneratedMonth {
  /** `2026-08` */
  readonly month: string;
  /** Key of its file. */
  readonly file: string;
  readonly events: number;
  /** Number of its first event in the whole trail. */
  readonly firstNumber: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/**
 * @param monthsAgo age of the newest one
 * @returns the oldest first
 */
export function generatedMonths(options: {
  readonly count: number;
  readonly monthsAgo: number;
  readonly events: number;
}): readonly GeneratedMonth[] {
  const { count, monthsAgo, events } = options;
  const now = new Date();
  return Array.from({ length: count }, (_, index) => {
    const age = monthsAgo + count - 1 - index;
    const monthOf = (monthsLater: number): Date =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - age + monthsLater, 1));
    const month = monthOf(0).toISOString().slice(0, 7);
    return {
      ...{ month, file: `${month}/0123456789abcdef.parquet`, events, firstNumber: index * events },
      ...{ startsAt: monthOf(0), endsAt: monthOf(1) },
    };
  });
}
