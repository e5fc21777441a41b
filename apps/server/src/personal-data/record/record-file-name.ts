/** The file name contains the person's ID, so that an erasure finds the file. */
export const recordFileName = (personId: string, id: string): string =>
  `${recordsOf(personId)}${id.slice(-12)}.json`;

export const RECORD_FILE_NAME = /^person-record-[0-9a-f-]{36}-[0-9a-f]{12}\.json$/;

/** The start of the names of a person's files. */
export const recordsOf = (personId: string): string => `person-record-${personId}-`;
