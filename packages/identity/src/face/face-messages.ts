/** One photo to look at. */
export interface FaceRequest {
  readonly photo: Uint8Array;
}

/** Result for a photo: a face descriptor of 128 numbers, or why there is none. */
export type FaceAnswer =
  | { readonly kind: 'face'; readonly descriptor: Float32Array }
  | { readonly kind: 'refused'; readonly why: 'unreadablePhoto' | 'noFace' | 'severalFaces' };
