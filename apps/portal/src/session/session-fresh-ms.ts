/** Milliseconds for which the signed-in user and their permissions are cached. */
export const SESSION_FRESH_MS = 60_000;
