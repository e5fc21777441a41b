/**
 * The key of an object below a folder, from its URL as Systems Manager returns it, with the bucket in its host or at the
 * beginning of its path.
 *
 * @throws Error for an object outside of the folder
 */
export function keyOfOutput(url: string, folder: readonly string[]): string {
  const path = decodeURIComponent(new URL(url).pathname).split('/').filter(Boolean);
  const starts = [0, 1].find((from) => folder.every((part, index) => path[from + index] === part));
  const key = starts === undefined ? [] : path.slice(starts + folder.length);
  if (key.length === 0 || key.includes('..')) throw new Error('not an output of this portal');
  return key.join('/');
}
