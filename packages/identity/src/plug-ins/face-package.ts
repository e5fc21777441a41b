/** A decoded photo. */
export interface FacePhoto {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of every pixel, from the top left. */
  readonly rgba: Uint8Array;
}

/** Finds the faces in a photo. */
export interface FaceModel {
  /** @returns 128 numbers for each face, at most `most`; see `faceDistance` */
  describeFaces(photo: FacePhoto, most: number): Promise<readonly Float32Array[]>;
}

/**
 * Exports of `@deviceportal/identity-face`. Loaded in a separate thread, because the model uses a
 * hundred megabytes.
 */
export interface FacePackage {
  loadFaceModel(): Promise<FaceModel>;
}
