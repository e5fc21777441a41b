export function shorten(value: number): string {
  for (const [factor, unit] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const)
    if (Math.abs(value) >= factor) return `${(value / factor).toPrecision(3)} ${unit}`;
  return value === 0 ? '0' : value.toPrecision(3);
}

export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  for (const row of rows)
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths?.[0] ?? 0) : cell.padStart(widths?.[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    );
}
