/**
 * Stands for Node's `crypto` where a library asks for it in a browser (sm-crypto-v2, for runtimes without the Web
 * Cryptography API): every browser has it.
 */
export const webcrypto = globalThis.crypto;
