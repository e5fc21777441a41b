declare module 'sm-crypto' {
  /** What the tests use of a package without types. */
  export const sm2: {
    generateKeyPairHex(): { readonly publicKey: string; readonly privateKey: string };
    doDecrypt(cipherText: string, privateKey: string, cipherMode: number): string;
  };
}
