/**
 * Whether two policies allow the same in their own accounts and regions: compared as JSON, because AWS IoT keeps a
 * policy as it was written.
 */
export function isSamePolicy(one: string, other: string): boolean {
  return normalized(one) === normalized(other);
}

function normalized(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text)).replaceAll(/arn:[^:]+:iot:[^:]*:[^:]*:/g, 'arn:');
  } catch {
    return text;
  }
}
