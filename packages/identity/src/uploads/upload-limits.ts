const MIB = 1024 * 1024;

/** What strangers may keep here: they upload without any token. */
export interface UploadLimits {
  /** Of one address, in pictures that nobody wears. */
  readonly addressBytes: number;
  /** Of all, in pictures whose day has not passed. */
  readonly bytes: number;
  /** What a small picture counts as. */
  readonly leastBytes: number;
  /** So long nobody's picture makes room for another's: who uploads one wears it by then. */
  readonly safeMs: number;
}

export const uploadLimits: UploadLimits = {
  addressBytes: 64 * MIB,
  bytes: 1024 * MIB,
  leastBytes: MIB / 16,
  safeMs: 10 * 60_000,
};
