/** URLs of the pictures of guides, by path from docs/guides. */
const urls = import.meta.glob<string>(
  [
    '../../../../../docs/images/*.png',
    // Only in the README.
    '!../../../../../docs/images/devices*.png',
  ],
  { query: '?url', import: 'default', eager: true },
);

/** @param path as in an English guide: `../images/case.png`. */
export function pictureUrl(path: string): string | undefined {
  return urls[path.replace('../', '../../../../../docs/')];
}
