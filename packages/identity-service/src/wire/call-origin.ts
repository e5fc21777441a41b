/** Where a call came from. */
export interface CallOrigin {
  /** The client's network address, as the server determined it. */
  readonly address: string;
}
