/** One photo to look at. */
export interface FaceRequest {
  readonly photo: Uint8Array;
}

/** What was found: 128 numbers by which faces are alike or not, or why there are none. */
export type FaceAnswer =
  | { readonly kind: 'face'; readonly descriptor: Float32Array }
  | { readonly kind: 'refused'; readonly why: 'unreadablePhoto' | 'noFace' | 'severalFaces' };
