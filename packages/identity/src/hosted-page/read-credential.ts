/** The JSON of a form field; what is no JSON is no credential. */
export function readCredential(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
