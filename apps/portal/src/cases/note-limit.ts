/** Maximum characters of a note and of the summary of a case. */
export const NOTE_LIMIT = 10_000;
