/**
 * Replaces Node’s `crypto`, which sm-crypto-v2 imports for runtimes without the Web Cryptography
 * API.
 */
export const webcrypto = globalThis.crypto;
