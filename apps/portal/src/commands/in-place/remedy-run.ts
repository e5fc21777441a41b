export interface RemedyRun {
  readonly command: string;
  readonly deviceId: string;
  /** Parameters that the remedy sets. The others have their defaults. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}
