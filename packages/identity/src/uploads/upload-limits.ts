const MIB = 1024 * 1024;

/** Limits of unauthenticated uploads. */
export interface UploadLimits {
  /** Per address, for pictures that are not used. */
  readonly addressBytes: number;
  /** Of all, in pictures whose day has not passed. */
  readonly bytes: number;
  /** Minimum size that a picture counts as. */
  readonly leastBytes: number;
  /**
   * Time for which a picture is not deleted for another one, so that its user can set it as avatar.
   */
  readonly safeMs: number;
}

export const uploadLimits: UploadLimits = {
  addressBytes: 64 * MIB,
  bytes: 1024 * MIB,
  leastBytes: MIB / 16,
  safeMs: 10 * 60_000,
};
