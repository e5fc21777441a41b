/** Whether the tag with this key becomes a label. A key of the setting can end with `*`. */
export function isImported(key: string, keys: readonly string[]): boolean {
  return keys.some((each) =>
    each.endsWith('*') ? key.startsWith(each.slice(0, -1)) : key === each,
  );
}
