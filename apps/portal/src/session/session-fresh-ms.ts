/** How long who is signed in, and with which rights, counts as known. */
export const SESSION_FRESH_MS = 60_000;
