/** Whether the packages that compare faces are there: they are optional. */
export function isFaceComparisonInstalled(): boolean {
  try {
    import.meta.resolve('@vladmandic/face-api/package.json');
    return true;
  } catch {
    return false;
  }
}
