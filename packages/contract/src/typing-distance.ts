/**
 * Edit distance of two words (Damerau, with transpositions of adjacent characters); `most + 1` if
 * it is larger than `most`.
 */
export function typingDistance(one: string, other: string, most: number): number {
  const [left, right] = [[...one], [...other]];
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      }
      line.push(cost);
    }
    if (Math.min(...line) > most) return most + 1;
    [beforeLast, last] = [last, line];
  }
  return Math.min(last[right.length] ?? 0, most + 1);
}
