export interface SendFailure {
  /** An HTTP status or an error code, without content of the response. */
  readonly reason: string;
  /** Whether a further attempt cannot succeed. */
  readonly isFinal: boolean;
}

/** Rejections of the content, the address, or the key. A redirect is not followed. */
const isRejection = (status: number): boolean =>
  status >= 300 && status < 500 && ![408, 409, 423, 425, 429].includes(status);

/** What a response or an error means for a delivery; null for success. */
export function sendFailure(given: { readonly status: number }): SendFailure | null;
export function sendFailure(given: { readonly error: unknown }): SendFailure;
export function sendFailure(
  given: { readonly status: number } | { readonly error: unknown },
): SendFailure | null {
  if ('status' in given) {
    const { status } = given;
    if (status >= 200 && status < 300) return null;
    return { reason: String(status), isFinal: isRejection(status) };
  }
  const { code, name } = given.error as { readonly code?: unknown; readonly name?: string };
  const reason = typeof code === 'string' ? code : (name ?? 'unknown');
  return { reason, isFinal: reason === 'INTERNAL_ADDRESS' };
}
