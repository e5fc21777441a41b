/** A row of a file: its values by column, or null if it has more cells than the header. */
export interface FileRecord {
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>> | null;
}

export interface FileReader {
  /** Headers that are no column of an import. */
  readonly ignoredColumns: readonly string[];
  readonly records: AsyncIterable<FileRecord>;
}

/** A file that cannot be read any further. */
export class UnreadableFile extends Error {
  readonly line: number;

  constructor(line: number, cause: Error) {
    super(cause.message, { cause });
    this.line = line;
  }
}
