/** Platforms as their makers write them; documents and agents say `MacOS`, as AWS does. */
export function platformNames(platforms: readonly string[]): readonly string[] {
  return platforms.map((platform) => (platform === 'MacOS' ? 'macOS' : platform));
}
