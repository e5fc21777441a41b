/** An answer of the calls below `/api/v3` (identity-sdk.md, section 4): `{statusCode: 200, message, data}`. */
export function v3Success(data?: unknown): object {
  return { statusCode: 200, message: 'ok', ...(data !== undefined && { data }) };
}
