/** Platform names as their vendors write them. Documents and agents use `MacOS`, as AWS does. */
export function platformNames(platforms: readonly string[]): readonly string[] {
  return platforms.map((platform) => (platform === 'MacOS' ? 'macOS' : platform));
}
