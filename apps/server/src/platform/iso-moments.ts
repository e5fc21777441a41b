/** A row whose moments are ISO 8601. */
export type IsoMoments<Row> = {
  readonly [Name in keyof Row]: Date extends Row[Name]
    ? Exclude<Row[Name], Date> | string
    : Row[Name];
};

/** The wire form of a row: its moments as ISO 8601. */
export const isoMoments = <Row extends object>(row: Row): IsoMoments<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  ) as IsoMoments<Row>;
