declare module 'sm-crypto' {
  /** Types for the parts of sm-crypto that the tests use. */
  export const sm2: {
    generateKeyPairHex(): { readonly publicKey: string; readonly privateKey: string };
    doDecrypt(cipherText: string, privateKey: string, cipherMode: number): string;
  };
}
