/** Messages of the transport errors (docs/design/portal.md, section 8). */
const BADLY_FORMATTED = 'Badly formatted response from server';

export class BadlyFormattedResponse extends Error {
  override readonly name = 'BadlyFormattedResponse';

  constructor() {
    super(BADLY_FORMATTED);
  }
}

/**
 * Checks that errors have a numeric code and successful results are objects. A batch has one entry
 * per call.
 */
export function checkResponseShape(body: unknown): void {
  const envelopes = Array.isArray(body) ? body : [body];
  for (const envelope of envelopes) if (!isEnvelope(envelope)) throw new BadlyFormattedResponse();
}

function isEnvelope(value: unknown): boolean {
  if (!isObject(value)) return false;
  if ('error' in value) {
    const error = isObject(value['error']) ? (value['error']['json'] ?? value['error']) : undefined;
    return isObject(error) && typeof error['code'] === 'number';
  }
  return isObject(value['result']);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
