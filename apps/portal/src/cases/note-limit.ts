/** Characters of a note, and of what is said at the end of a case. */
export const NOTE_LIMIT = 10_000;
