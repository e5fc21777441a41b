/**
 * In place of the package's own types, which would bring the browser's globals into every program of this repository.
 * Node has all of it built in.
 */
export const fetch: typeof globalThis.fetch;
export const Request: typeof globalThis.Request;
export const Response: typeof globalThis.Response;
export const Headers: typeof globalThis.Headers;
export const URL: typeof globalThis.URL;
